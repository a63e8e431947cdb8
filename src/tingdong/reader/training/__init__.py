"""What the learned reader is trained on: labelled sentences, varied. PyTorch itself is used in `bench/` only."""
