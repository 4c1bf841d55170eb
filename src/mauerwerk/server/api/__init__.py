"""The JSON API: how an operation is declared, and the OpenAPI document."""
