"""The answers to the lessons' questions, with what to say of the wrong ones."""

from helpers.answers import (
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
)
from helpers.questions import Exercise

ANSWERS: dict[str, Exercise] = {
    **lesson_01.ANSWERS,
    **lesson_02.ANSWERS,
    **lesson_03.ANSWERS,
    **lesson_04.ANSWERS,
    **lesson_05.ANSWERS,
    **lesson_06.ANSWERS,
    **lesson_07.ANSWERS,
    **lesson_08.ANSWERS,
    **lesson_09.ANSWERS,
}
