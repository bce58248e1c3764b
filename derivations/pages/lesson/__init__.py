"""The markers of the lesson: a module for each chapter or page that needs its own."""
