"""What every training has in common: its optimizer, one step of it, and the files from which it is resumed."""
