"""Nothing lies over words: at rest, with the focus, in hand; of each widget, on two screens."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_checks import STARTED, until
from playwright.sync_api import Browser, Locator, Page, expect
from widgets import LONG, WIDGETS, write_page

from byhand.widgets import embed

SCREENS = {
    "1280": {"viewport": {"width": 1280, "height": 900}},
    "360": {"viewport": {"width": 360, "height": 844}, "has_touch": True, "is_mobile": True},
}
IDS = [name.replace(" ", "-") for name in WIDGETS]
# `overprinted(section)`: what lies over what. `eachFocused(section)`: also of what has the focus
LOOK = r"""
const CONTROLS = 'button, input, select, textarea, summary, a';
const SIDES = ['left', 'top', 'right', 'bottom'];
const clips = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const isThere = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;
const isSeen = (node) =>
  node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const nameOf = (node) => (node.data ?? node.outerHTML).trim().slice(0, 80);

// what the window and its ancestors leave of a box
function leftOf(box, node) {
  let left = meet(box, { ...box, left: 0, right: document.documentElement.clientWidth });
  for (let at = node; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.clipPath !== 'none') return { ...left, right: left.left };
    if (clips(style) && !(at instanceof SVGElement && at.ownerSVGElement))
      left = meet(left, at.getBoundingClientRect());
  }
  return left;
}

// each control, and each line of each text, that are seen
function partsOf(section) {
  const found = [];
  const add = (node, owner, whole) => {
    const box = leftOf(whole, owner);
    if (isThere(box)) found.push({ node, owner, box });
  };
  for (const node of section.querySelectorAll(CONTROLS))
    if (isSeen(node)) add(node, node, node.getBoundingClientRect().toJSON());
  const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, owner = node.parentElement, range = document.createRange();
    if (!node.data.trim() || owner.closest('style, script, option') || !isSeen(owner)) continue;
    range.selectNodeContents(node);
    for (const { left, right, top, bottom, height } of range.getClientRects())
      // without the room above and below its letters
      add(node, owner, { left, right, top: top + height / 4, bottom: bottom - height / 4 });
  }
  return found;
}

// a row that is held lies over those under it
const isHeldOver = (one, other) => !one.closest('.rm-ghost') !== !other.closest('.rm-ghost')
  && [one, other].every((node) => node.closest('.rm-row, .rm-lane'));

window.overprinted = (section) => {
  const [parts, found] = [partsOf(section), new Set()];
  parts.forEach((one, i) => {
    for (const other of parts.slice(i + 1))
      if (!one.node.contains(other.node) && !other.node.contains(one.node)
          && isThere(meet(one.box, other.box)) && !isHeldOver(one.owner, other.owner))
        found.add(`${nameOf(other.node)} over ${nameOf(one.node)}`);
  });
  return [...found];
};

const hasRing = (node) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
};
// what is wrong with the ring around what has the focus
function ringed(section, before) {
  const all = [...section.querySelectorAll('*')];
  const rings = all.filter((node) => hasRing(node) && !before.has(node));
  const isCut = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const { outlineWidth, outlineOffset } = getComputedStyle(node);
    const by = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const ring = { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
    const seen = leftOf(ring, node.parentElement);
    return SIDES.some((side) => Math.abs(seen[side] - ring[side]) > 0.6);
  };
  return rings.length ? rings.filter(isCut).map(() => 'its ring is cut') : ['it has no ring'];
}

window.eachFocused = (section) => {
  const found = [];
  document.activeElement.blur();
  const before = new Set([...section.querySelectorAll('*')].filter(hasRing));
  for (const node of [...section.querySelectorAll(`${CONTROLS}, [tabindex]:not(.rm-after)`)]) {
    if (!node.isConnected || !isSeen(node) && !node.matches('.rm-skip')) continue;
    node.focus();
    if (document.activeElement !== node) continue;
    for (const each of [...overprinted(section), ...ringed(section, before)])
      found.push(`${nameOf(node)}: ${each}`);
  }
  document.activeElement.blur();
  return found;
};

window.only = (name) => {
  for (const each of document.querySelectorAll('main section'))
    each.style.setProperty('display', each.id === name ? 'block' : 'none', 'important');
  scrollTo(0, 0);
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
};
"""
OPEN = """(section) => {
  for (const node of section.querySelectorAll('[data-name=more], summary'))
    if (node.checkVisibility() && node.ariaExpanded !== 'true') node.click();
}"""
# the first row of a list that can be taken up goes down, and that of a tray up into the list
WAYS = {".rm-scroll": (20, 70), ".rm-dock": (-30, -120)}


@pytest.fixture(scope="module", params=SCREENS)
def page(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """A page with every widget, whose items have names as readers meet them."""
    context = chromium.new_context(**SCREENS[request.param], offline=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(write_page(tmp_path_factory.mktemp("overlap"), items=LONG).as_uri())
    until(page, STARTED)
    page.evaluate(LOOK)
    page.keyboard.press("Tab")  # from now on it is the keys that move the focus
    yield page
    context.close()


def overprinted_in_hand(page: Page, section: Locator, inside: str) -> list[str]:
    """What lies over words while a row of a widget is dragged: after each step."""
    grip = section.locator(f"{inside} .rm-row .rm-grip").filter(visible=True).first
    if not grip.count():
        return []
    page.evaluate("document.activeElement.blur()")
    grip.evaluate("grip => grip.scrollIntoView({ block: 'center' })")
    box, found = grip.bounding_box(), []
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for down in WAYS[inside]:
        page.mouse.move(x, y + down, steps=2)
        expect(section.locator(".rm-ghost")).to_have_count(1)
        found += [f"{inside} by {down}: {each}" for each in section.evaluate("overprinted")]
    page.keyboard.press("Escape")  # it goes back
    page.mouse.up()
    expect(section.locator(".rm-ghost")).to_have_count(0)
    return found


def test_each_view_is_there():
    views = {path.parent.name for path in Path(embed.__file__).parent.glob("*/view.js")}
    assert {make().view for make in WIDGETS.values()} == views


@pytest.mark.parametrize("name", IDS)
def test_nothing_lies_over_words(page: Page, name: str):
    """At rest, with the focus on each part, a row tapped, all opened, a row in hand."""
    page.evaluate("only", name)
    section = page.locator(f"#{name}")
    found = section.evaluate("overprinted") + section.evaluate("eachFocused")
    section.evaluate("section => section.querySelector('.rm-row .rm-label')?.click()")
    found += section.evaluate("overprinted")
    section.evaluate(OPEN)
    found += section.evaluate("overprinted")
    found += [each for inside in WAYS for each in overprinted_in_hand(page, section, inside)]
    assert not found, "\n".join(["", *found])
