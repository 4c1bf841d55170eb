"""The laws that every game keeps, and the kit that checks them."""
