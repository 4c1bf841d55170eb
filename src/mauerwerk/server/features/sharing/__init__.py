"""Sharing: pictures of tables and previews of links."""
