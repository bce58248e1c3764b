"""The hash by which a content security policy allows a style or a script within a page."""

from base64 import b64encode
from hashlib import sha256


def digest(written: str) -> str:
    """The hash of a style or a script, as a policy writes it (CSP Level 3, section 2.3.1)."""
    return "sha256-" + b64encode(sha256(written.encode()).digest()).decode()
