"""Pages write numbers as their language does: 0,5 and 1.240."""


def test_what_a_lesson_prints_and_draws_is_there_in_portuguese(editions):
    """A mean that is printed, a table, an option and what stands above a figure."""
    for name, said in {
        "06-why-tools-disagree": ("0,2889", "= 0,333", "0,9675"),
        "07-what-would-chance-get": ("1.240", "0,2001"),
        "tracin-real-data": ("30.000 e 10.000", "17,37<"),
        "02-mean-reciprocal-rank": ("MRR = 0,2500", "250,75"),
        "tourist-spots": ("0,7076 em média", "0,6667: "),
        "documented-values": ("1/2 = 0,5000", "0,3854", "43.000/529 = 81,29"),
    }.items():
        html = (editions / "pt" / f"{name}.html").read_text(encoding="utf-8")
        assert [each for each in said if each not in html] == [], name
