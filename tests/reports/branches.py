"""Which branches of the templates nothing renders."""

from itertools import count

from jinja2 import Environment, nodes, pass_context

from byhand.reports import latex_table, rendering


class Branches:
    """The branches that were not rendered yet, of the templates that are read while it records."""

    def __init__(self):
        self.unseen = {}

    def record(self, monkeypatch):
        """Let each template that is read from now on tell when a branch of it is rendered."""
        compile_, places = Environment.compile, count()

        @pass_context  # or it is done once, when the template is compiled
        def seen(_, value, place):
            self.unseen.pop(place, None)
            return value

        def watched(value, template, line, what):
            place, text = next(places), ""
            for each in what if isinstance(what, list) else [what]:
                known = [*each.find_all((nodes.Const, nodes.TemplateData))]
                words = (str(getattr(node, "value", getattr(node, "data", ""))) for node in known)
                text = text or max(words, key=len, default="").strip()
            self.unseen[place] = f"{template}:{line}: {text[:60]!r}"
            return nodes.Filter(value, "seen", [nodes.Const(place)], [], None, None, lineno=line)

        def marked(environment, source, name=None, filename=None):
            environment.filters["seen"] = seen
            tree = environment.parse(source, name, filename)
            for node in [*tree.find_all((nodes.If, nodes.For, nodes.Macro, nodes.CondExpr))]:
                for field in ("expr1", "expr2", "body", "else_"):
                    if inside := getattr(node, field, None):
                        of = (name, node.lineno, inside)
                        if isinstance(inside, list):
                            mark = nodes.Output([watched(nodes.Const(""), *of)], lineno=of[1])
                            inside.insert(0, mark)
                        else:
                            setattr(node, field, watched(inside, *of))
            return compile_(environment, tree, name, filename)

        monkeypatch.setattr(Environment, "compile", marked)
        for made in (rendering.templates, latex_table.latex_template):
            made.cache_clear()
