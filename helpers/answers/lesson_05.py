"""Lesson 5, choosing a metric: its questions' answers."""

from fractions import Fraction

from helpers.questions import Choice, Exercise, Number

ANSWERS: dict[str, Exercise] = {
    "05-guess": Choice(
        answer="c",
        comments={
            "a": "RR looks for the first good recipe. Which of the two lists has it on top?",
            "b": "AP asks at each hit how much of the list so far is good. Try ranks 2 to 6.",
            "c": "RR and nDCG prefer spread, AP prefers block at 2.",
        },
    ),
    "05-a": Choice(
        answer="b",
        comments={
            "a": "AP looks at all hits in a list. Here there is one answer, good or not.",
            "b": "One answer is shown: it is good or it is not.",
            "c": "nDCG@10 looks at ten ranks. Here only the first one is shown.",
            "d": "R@100 looks at a hundred ranks. Here only the first one is shown.",
        },
        second_hint="How many answers does a person see? Which metric looks at just as many?",
    ),
    "05-b": Choice(
        answer="c",
        comments={
            "a": "Write down the ranks of the hits after each of the two moves.",
            "b": "It would with different grades. With grades 0 and 1, write down the ranks.",
            "c": "Both moves leave hits at ranks 1 and 3. With equal grades, nothing else counts.",
        },
        second_hint="Lift the item at rank 2: where are the hits? Then try it with rank 3.",
    ),
    "05-c": Number(
        answer=Fraction(1, 40),
        why="Precision 1/4 at the only hit, divided by 10.",
        hint="The precision at rank 4 is 1/4. How many items are relevant?",
        second_hint="One hit, so the sum is 1/4. Divide it by all that counts as relevant.",
        slips={
            Fraction(1, 4): "You divided by the one hit. All ten questions count as relevant.",
            Fraction(1, 10): "That is the share of right answers. The hit comes at rank 4.",
        },
    ),
}
