// Filled in shortly: keeps the target buildable.
