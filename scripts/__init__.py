"""Tools run from a checkout; nothing in the product imports them."""
