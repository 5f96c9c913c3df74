"""The paths of the files that travel with the app: the demo model, icons and other data."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent
DEMO_MODEL = ROOT / "demo_model"
ICONS = ROOT / "icons"
RECOMMENDED_MODELS = ROOT / "recommended_models.json"
