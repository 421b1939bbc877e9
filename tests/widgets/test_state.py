"""What a browser is told of a widget: all that its view needs, before it can be drawn."""

import comm
import pytest
from comm.base_comm import BaseComm

from byhand.widgets import (
    Challenge,
    CoinTosses,
    Duel,
    Explorer,
    Goal,
    OwnList,
    Prediction,
    RankedList,
    embed,
)


@pytest.mark.parametrize(
    ("view", "make"),
    [
        ("list", lambda: RankedList(["a", "b"], {"b": 2}, max_grade=3)),
        ("explorer", lambda: Explorer(["a", "b"], {"b"}, k=1, seed=3, measures=["Judged", "RR"])),
        ("challenge", lambda: Challenge(["a", "b"], {"b"}, Goal.highest("AP"))),
        ("duel", lambda: Duel([["a", "b"], ["b"]], {"b"}, k=2)),
        ("own", lambda: OwnList("a\nb *")),
        ("prediction", lambda: Prediction("?", ["a", "b"], hints="look")),
        ("tosses", lambda: CoinTosses([0.5, 0.25])),
    ],
)
def test_a_widget_is_complete_when_a_browser_first_hears_of_it(monkeypatch, view, make):
    said = []

    class Recorded(BaseComm):
        def publish_msg(self, kind, data=None, **_):
            said.append((kind, (data or {}).get("state", {})))

    monkeypatch.setattr(comm, "create_comm", Recorded)
    widget = make()
    opened = [state for kind, state in said if kind == "comm_open" and "view" in state]
    assert opened[-1]["view"] == view
    assert {name: opened[-1][name] for name in widget.page_state()} == widget.get_state(
        list(widget.page_state())
    )
    assert {kind for kind, _ in said} == {"comm_open"}


def test_the_files_of_the_module_import_in_one_direction_what_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(embed, "_BROWSER", tmp_path)
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\nexport const a = b;\n')
    for two, said in (
        ('import { a } from "./one.js";\nexport const b = a;\n', "one.js > two.js > one.js is a c"),
        ("export const c = 2;\n", "one.js: two.js does not export b"),
    ):
        (tmp_path / "two.js").write_text(two)
        with pytest.raises(ImportError, match=said):
            embed.module.__wrapped__("one")
    (tmp_path / "two.js").write_text("export const b = 2;\n")
    assert "export const a = b;" in embed.module.__wrapped__("one")
