"""The commands of the command line, one a module. What is slow to import is imported in them."""
