"""Resources: the files that travel with the app, and where they lie.

Owns the paths of the demo model, icons and other shipped data; what they mean is left to those who read them.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent
DEMO_MODEL = ROOT / "demo_model"
ICONS = ROOT / "icons"
UPDATE_KEY = ROOT / "update_key.pub"
