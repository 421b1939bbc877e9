"""What is asked of any page: that it lives, fits, asks for nothing, and is for everybody."""

from time import monotonic

from playwright.sync_api import Error, Page, Request

SPILLS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# whether every list has come to life that is not folded away
STARTED = """() => ![...document.querySelectorAll('[data-live]:empty')].some(
  (place) => !place.closest('details:not([open])'))"""
# how many parts of a page are seen below its first prediction; those on the reader's own files,
# which stay open for whoever comes back, do not count
BELOW = """() => {
  const asked = document.querySelector(`[data-live*='"covers":true']`)?.parentElement;
  const all = document.querySelectorAll('main :is(p, pre, li, td, img, math, button)');
  const follows = (node, other) =>
    other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [...all].filter((node) => !asked.contains(node)
    && follows(node, asked) && !node.closest('.own')
    && node.checkVisibility({ visibilityProperty: true })).length;
}"""
FINISH = "document.getAnimations().forEach((each) => each.finish())"
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of axe-core about them
ONLY_COLOURS = {"runOnly": COLOURS}
ALL_BUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
# the rows of a table are alike
_VIOLATIONS = """async ([inside, options]) => {
  const where = { include: [[inside]], exclude: [['tbody tr:nth-child(n+5)']] };
  const how = { resultTypes: ['violations'], preload: false, ...options };
  const found = await axe.run(where, how);
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}"""


def until(page: Page, holds: str, *, timeout: float = 30) -> None:
    """Wait until a script's value holds; Playwright asks again by `eval`, which pages forbid."""
    late = monotonic() + timeout
    while not _holds(page, holds):
        assert monotonic() < late, f"{timeout} s, and not yet: {holds}"
        page.wait_for_timeout(50)


def _holds(page: Page, script: str) -> bool:
    """Whether it does; not on a page that another one is just replacing."""
    try:
        return bool(page.evaluate(script))
    except Error as error:
        if "context was destroyed" in error.message:
            return False
        raise


def violations(page: Page, inside: str = "html", **options: object) -> list[str]:
    """What axe-core, which is in the page, has against it."""
    return page.evaluate(_VIOLATIONS, [inside, options])


def assert_for_everybody(page: Page, axe_source: str) -> None:
    """axe-core has nothing against it, light or dark: of the dark it is asked for colours only."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe_source)
    for scheme, options in (("light", {}), ("dark", ONLY_COLOURS)):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(FINISH)  # colours change in a moment
        assert violations(page, **options) == [], scheme
    page.emulate_media(color_scheme=None)


def watch(page: Page) -> list[str]:
    """What a page should not do, as it happens: ask for something, complain, open a dialog."""
    seen: list[str] = []

    def note(request: Request) -> None:
        if not (request.is_navigation_request() or request.url.startswith("data:")):
            seen.append(request.url)

    page.on("request", note)
    page.on("console", lambda message: seen.append(message.text))
    page.on("pageerror", lambda error: seen.append(error.message))
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    return seen
