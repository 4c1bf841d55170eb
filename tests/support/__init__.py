"""What several folders of tests use."""
