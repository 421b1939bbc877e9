"""Nothing lies over words: at rest, with the focus, in hand; of each widget, on two screens."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from explorer_page import Finger
from page_checks import STARTED, until
from playwright.sync_api import Browser, Locator, Page, expect
from widgets import LONG, WIDGETS, write_page

from byhand.widgets import embed

SCREENS = {
    "1280": {"viewport": {"width": 1280, "height": 900}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
IDS = [name.replace(" ", "-") for name in WIDGETS]
# `overprinted(section)`: what lies over what. `ringed(section)`: of what has the focus, too.
LOOK = r"""
const clips = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const isThere = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;
const grown = (box, by) => ({ left: box.left - by, top: box.top - by,
  right: box.right + by, bottom: box.bottom + by });
const isSeen = (node) =>
  node.checkVisibility({ visibilityProperty: true, opacityProperty: true });

// what its ancestors leave of a box
function leftOf(box, node) {
  let left = box;
  for (let at = node; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.clipPath !== 'none') return null;
    if (clips(style) && !(at instanceof SVGElement && at.ownerSVGElement))
      left = meet(left, at.getBoundingClientRect());
  }
  return left;
}

// each line of each text that is seen, without the room above and below its letters
function textsOf(section) {
  const found = [];
  const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest('style, script, option') || !isSeen(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom, height } of range.getClientRects()) {
      const letters = { left, right, top: top + height / 4, bottom: bottom - height / 4 };
      const box = leftOf(letters, owner);
      if (box && isThere(box)) found.push({ node, owner, box, name: `"${node.data.trim()}"` });
    }
  }
  return found;
}

const nameOf = (node) =>
  `<${node.tagName.toLowerCase()} ${node.getAttribute('class') ?? ''} ${node.dataset?.name ?? ''}>`;
const at = (box) => `${Math.round(box.left)},${Math.round(box.top)}`;
const CONTROLS = 'button, input, select, textarea, summary, a';

function controlsOf(section) {
  return [...section.querySelectorAll(CONTROLS)].filter(isSeen).flatMap((node) => {
    const box = leftOf(node.getBoundingClientRect(), node);
    return box && isThere(box) ? [{ node, owner: node, box, name: nameOf(node) }] : [];
  });
}

// a row that is held lies over those under it
const isHeld = (node) => Boolean(node.closest('.rm-ghost'));
const isHeldOver = (one, other) => isHeld(one) !== isHeld(other)
  && [one, other].every((node) => node.closest('.rm-row, .rm-lane'));

window.overprinted = (section) => {
  const [parts, found] = [[...textsOf(section), ...controlsOf(section)], new Set()];
  parts.forEach((one, i) => {
    for (const other of parts.slice(i + 1))
      if (!one.node.contains(other.node) && !other.node.contains(one.node)
          && isThere(meet(one.box, other.box)) && !isHeldOver(one.owner, other.owner))
        found.add(`${other.name} over ${one.name} at ${at(other.box)}`);
  });
  return [...found];
};

const hasRing = (node) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
};

// what is wrong with the ring around what has the focus
function ringed(section, focused, before) {
  const rings = [section, ...section.querySelectorAll('*')].filter(
    (node) => hasRing(node) && !before.has(node));
  if (!rings.length) return ['has no ring'];
  return rings.flatMap((node) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(node);
    const by = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    const outer = grown(node.getBoundingClientRect(), by);
    const wrong = [];
    const cuts = (box) => ['left', 'top'].some((side) => box[side] > outer[side] + 0.6)
      || ['right', 'bottom'].some((side) => box[side] < outer[side] - 0.6);
    for (let up = node.parentElement; up && up !== document.body; up = up.parentElement)
      if (clips(getComputedStyle(up)) && cuts(up.getBoundingClientRect()))
        wrong.push(`ring is cut by ${nameOf(up)}`);
    if (outer.left < 0 || outer.right > document.documentElement.clientWidth)
      wrong.push('ring is cut by the window');
    return wrong;
  });
}

const REACHED = `${CONTROLS}, [tabindex]:not(.rm-after)`;

window.eachFocused = (section) => {
  const found = [];
  document.activeElement?.blur();
  const before = new Set([...section.querySelectorAll('*')].filter(hasRing));
  for (const node of [...section.querySelectorAll(REACHED)]) {
    if (!node.isConnected || !isSeen(node) && !node.matches('.rm-skip')) continue;
    node.focus();
    if (document.activeElement !== node) continue;
    const where = `${nameOf(node)} ${node.ariaLabel ?? node.textContent}`;
    if (!node.matches(':focus-visible')) found.push(`${where}: no :focus-visible`);
    for (const each of [...overprinted(section), ...ringed(section, node, before)])
      found.push(`${where}: ${each}`);
  }
  document.activeElement?.blur();
  return found;
};

// where the first row can be taken up, or null
window.gripIn = (section, inside) => {
  const grip = [...section.querySelectorAll(`${inside} .rm-row .rm-grip`)].find(isSeen);
  if (!grip) return null;
  document.activeElement.blur();
  grip.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = grip.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
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


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with every widget, whose items have names as readers meet them."""
    return write_page(tmp_path_factory.mktemp("overlap"), items=LONG)


@pytest.fixture(scope="module", params=SCREENS)
def page(chromium: Browser, path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = chromium.new_context(**SCREENS[request.param], offline=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(path.as_uri())
    until(page, STARTED)
    page.evaluate(LOOK)
    page.keyboard.press("Tab")  # from now on it is the keys that move the focus
    yield page
    context.close()


# the first row of a list that can be taken up goes down, and that of a tray up into the list
WAYS = {".rm-scroll": (20, 70), ".rm-dock": (-30, -120)}


def overprinted_in_hand(page: Page, section: Locator, inside: str) -> list[str]:
    """What lies over words while a row of a widget is dragged: after each step."""
    grip = section.evaluate("gripIn", inside)
    if grip is None:
        return []
    (x, y), found = grip, []
    is_phone = page.evaluate("matchMedia('(pointer: coarse)').matches")
    finger, at = Finger(page), 0
    if is_phone:
        finger.press(x, y, rest=280)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
    for down in WAYS[inside]:
        if is_phone:
            finger.move(0, down - at, steps=2)
        else:
            page.mouse.move(x, y + down, steps=2)
        at = down
        expect(section.locator(".rm-ghost")).to_have_count(1)
        found += [f"{inside} by {down}: {each}" for each in section.evaluate("overprinted")]
    page.keyboard.press("Escape")  # it goes back
    if is_phone:
        finger.lift()
    else:
        page.mouse.up()
    expect(section.locator(".rm-ghost")).to_have_count(0)
    return found


def test_each_view_is_there():
    views = {path.parent.name for path in Path(embed.__file__).parent.glob("*/view.js")}
    assert {make().view for make in WIDGETS.values()} == views


NARROW = ["cut", "five", "shuffle", "three"]  # as in JupyterLab, which keeps 116 pixels of a phone
CUT = "all => all.some((each) => each.scrollWidth > each.clientWidth)"


@pytest.mark.parametrize("name", IDS)
def test_nothing_lies_over_words(page: Page, name: str):
    """At rest, with the focus on each part, a row tapped, all opened, a row in hand."""
    page.evaluate("only", name)
    section, found = page.locator(f"#{name}"), []
    if name in NARROW and page.viewport_size["width"] == 390:
        section.evaluate("section => { section.style.width = '274px'; }")
        page.wait_for_timeout(100)
        found += section.evaluate("overprinted")
        assert not section.locator(".rm-try").evaluate_all(CUT)
        section.evaluate("section => { section.style.width = ''; }")
        page.wait_for_timeout(100)
    found += section.evaluate("overprinted")
    found += section.evaluate("eachFocused")
    section.evaluate("section => section.querySelector('.rm-row .rm-label')?.click()")
    found += section.evaluate("overprinted")
    section.evaluate(OPEN)
    found += section.evaluate("overprinted")
    found += [each for inside in WAYS for each in overprinted_in_hand(page, section, inside)]
    assert not found, "\n".join(["", *found])
