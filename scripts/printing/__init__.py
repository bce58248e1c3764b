"""Prints pages of a built site as PDFs, with Chromium: their formulas are those of the pages."""
