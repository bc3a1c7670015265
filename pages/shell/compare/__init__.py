"""Pin what is on the screen and compare it with what comes next."""
