"""The course's commands: `python -m helpers notebooks FILE …`, `python -m helpers pages FOLDER`."""

from byhand.__main__ import choose

COMMANDS = {
    "notebooks": ("helpers.notebooks", "run lessons from top to bottom, and clean them"),
    "lessons": ("helpers.lessons", "the lessons in another language, to be run"),
    "pages": ("helpers.site", "the lessons as pages for any browser"),
}

if __name__ == "__main__":
    choose("helpers", COMMANDS)
