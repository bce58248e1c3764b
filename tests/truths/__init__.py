"""What the numbers of the lesson must be, worked out from an example's integers with mpmath alone.

It shares no code with what wrote the pages. Each module gives, by the namespace of a data-ref, the
matrices and the sizes that the pages are held against.
"""
