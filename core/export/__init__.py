"""One run as a script that needs none of this project: its code in PyTorch or NumPy, its weights, its vocabulary."""
