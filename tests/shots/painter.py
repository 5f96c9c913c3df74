"""Paints every state in one language at one scale: `python -m tests.shots.painter FOLDER LANGUAGE [STATE...]`, with
QT_SCALE_FACTOR set.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.base import program
from app.desktop.launch import Application
from app.images.images import Images
from tests.shots import languages
from ui.theme.theme import DARK, LIGHT
from ui.transcript import image_loader


def paint(folder: Path, language: str, names: list[str]) -> None:
    """Write one PNG for each state and theme to `folder`."""
    from tests.shots.extremes import STATES  # its content is made of texts
    from tests.shots.studio import Studio

    application = Application()
    images = Images(program.images())
    image_loader.install(images.load)
    languages.install_words_of_qt(language)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or STATES:
        for theme, appearance in ((LIGHT, "light"), (DARK, "dark")):
            studio = Studio(theme)
            STATES[name](studio)
            studio.picture().save(str(folder / f"{name}-{appearance}.png"))
            studio.close()
    images.close()
    application.quit()


if __name__ == "__main__":
    languages.speak(sys.argv[2])
    paint(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
