// The target needs one file until its own arrive.
