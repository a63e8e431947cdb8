"""A trial beside the product: the reader that fills all commands in one pass (decision 0010)."""
