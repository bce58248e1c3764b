"""A Step and its decimals -> LaTeX, MathML, Markdown, records. Nothing is computed here."""
