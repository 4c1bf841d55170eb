"""What all pages share: templates, forms, names, dates, preferences."""
