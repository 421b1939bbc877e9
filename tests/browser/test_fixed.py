"""What Python tells a view once, by the key: each is declared, and each is read."""

from collections import defaultdict
from typing import get_type_hints

import pytest
from playwright.sync_api import Page
from test_widgets_in_languages import OPEN, WIDGETS

from byhand.widgets import RankedList
from byhand.widgets.live import Live

# every key of `fixed` that a view reads, by the view, and not those that it only hands on
WATCH = """() => {
  window.keysRead = {};
  const { get } = live.PageModel.prototype;
  live.PageModel.prototype.get = function (name) {
    const value = get.call(this, name);
    if (name !== 'fixed') return value;
    const read = (keysRead[get.call(this, 'view')] ??= {});
    return new Proxy(value, { get: (of, key) => ((read[key] = true), of[key]) });
  };
  window.unwatch = () => { live.PageModel.prototype.get = get; };
}"""


# of some widgets above, so that what is wrong is answered
WRONG = {"guess": "0.9", "choice": "α", "ticks": ["β"], "order": ["α"]}


@pytest.fixture(scope="module")
def told() -> dict[str, list[Live]]:
    """View -> widgets of all kinds that it shows, and lists, which are in some of them."""
    made = {name: make() for name, make in WIDGETS.items()}
    for name, guess in WRONG.items():
        made[name].guesses = [guess]
    found = defaultdict(list)
    for widget in (*made.values(), RankedList(["a"], {"a"})):
        found[widget.view].append(widget)
    return found


def declared(widget: Live) -> type:
    return get_type_hints(type(widget))["fixed"]


def test_python_says_what_is_declared(told):
    for widget in (each for some in told.values() for each in some):
        keys, said = declared(widget), {*widget.fixed}
        assert keys.__required_keys__ <= said <= {*keys.__annotations__}, widget.view


def test_a_view_reads_all_of_it_and_nothing_else(live: Page, show, told):
    live.evaluate(WATCH)
    try:
        for widget in (each for some in told.values() for each in some):
            show(widget)
            live.evaluate(OPEN)
        read = {view: {*keys} for view, keys in live.evaluate("keysRead").items()}
    finally:
        live.evaluate("unwatch()")
    assert read == {view: {*declared(some[0]).__annotations__} for view, some in told.items()}
