"""Measures by name: ir_measures' notation, its objects, and errors that help."""

import pytest

from byhand import Conventions, chance_levels, evaluate, measure_list
from byhand.metrics import functions, measure_named
from byhand.metrics.measures import AP, MEASURES, RR

RANKED, GRADES = ["x", "a", "b", "c"], {"a": 1, "b": 2, "c": 3, "d": 2}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("MRR|mrr|Mrr|recip_rank|RECIP_RANK|rr", "RR"),
        ("MRR@10|mrr@10", "RR@10"),
        ("MAP|map|ap", "AP"),
        ("MAP@5|map_cut_5|map_cut.5|AP@5", "AP@5"),
        ("NDCG|ndcg|nDCG|NdCg", "nDCG"),
        ("NDCG@10|ndcg_cut_10|ndcg_cut.10|ndcg@10", "nDCG@10"),
        ("Precision|set_P|p", "P"),
        ("Precision@5|precision@5|P_5|P.5|p@5| P@5 |P()@5", "P@5"),
        ("Recall|set_recall|r", "R"),
        ("Recall@100|recall_100|recall@100", "R@100"),
        ("R( rel=3 )@1000", "R(rel=3)@1000"),
        ("Hit@5|hit@5|HR@5|hr@5|hit_rate@5|HitRate@5|success_5", "Success@5"),
        ("map(rel=2)@3", "AP(rel=2)@3"),
        ("judged@3", "Judged@3"),
        ("err@20|ERR_20|err.20", "ERR@20"),
        ("rbp.95|RBP.95", "RBP(p=0.95)"),  # of ranx, a persistence and no cutoff
        ("rbp.5@10", "RBP(p=0.5)@10"),
        ("rbp_95", "RBP@95"),
        ("R-prec|r-precision|R_PREC", "Rprec"),
        ("bpref|BPREF", "Bpref"),
        # of MTEB, sentence-transformers and BEIR
        ("ndcg_at_10|NDCG_at_10", "nDCG@10"),
        ("map_at_100", "AP@100"),
        ("recall_at_100|Recall_at_100", "R@100"),
        ("mrr_at_10", "RR@10"),
        ("precision_at_5", "P@5"),
        ("hit_rate_at_5|hits@5|hit_ratio@5", "Success@5"),
        ("R_cap@3|recall_cap@3|r_cap_at_3|Recall_capped@3", "R(denominator='capped')@3"),
        # of ranx
        ("ndcg_burges@10", "nDCG(dcg='exp-log2')@10"),
        ("dcg_burges", "DCG(dcg='exp-log2')"),
        ("mean_reciprocal_rank|reciprocal_rank", "RR"),
        ("average_precision|mean_average_precision", "AP"),
        ("normalized_dcg@5", "nDCG@5"),
        ("mean_average_precision_at_7", "AP@7"),
    ],
)
def test_names_as_people_write_them(said, meant):
    assert [str(measure_named(name)) for name in said.split("|")] == [meant] * len(said.split("|"))


@pytest.mark.parametrize("kind", MEASURES.values(), ids=MEASURES)
def test_what_an_option_changes_stands_in_the_name(kind):
    tried = {"rel": 2, "dcg": "exp-log2", "p": 0.95, "max_rel": 3, "denominator": "capped"}
    for name in kind.options():
        made = kind(k=4, **{name: tried[name]})
        assert str(made) == f"{kind.name}({name}={tried[name]!r})@4"
        assert measure_named(str(made)) == measure_named(made) == made
    assert kind.meaning
    assert kind.source


def test_ir_measures_objects_work_and_columns_are_named_as_asked():
    ir_measures = pytest.importorskip("ir_measures")
    run, qrels = {"q": {"a": 1.0}}, {"q": {"a": 1}}
    names = ["RR", "RR@5", "ERR@20", "RBP(rel=1)", "RBP(p=0.95,rel=2)@5", "AP(rel=2)@10", "R@5"]
    for asked in (*names, "nDCG(dcg='exp-log2')@10"):
        theirs = ir_measures.parse_measure(asked)
        assert measure_named(theirs) == measure_named(asked)
        assert evaluate(run, qrels, theirs).columns.tolist() == [str(theirs)]
    found = chance_levels(run, qrels, ["MRR", ir_measures.RR, AP(rel=2), AP(), "Recall@100"])
    assert found.columns[::2].tolist() == ["MRR", "RR", "AP(rel=2)", "AP", "Recall@100"]
    assert found.loc["q"].tolist()[:4] == [1.0] * 4


def test_a_gain_in_the_name_overrules_the_conventions():
    exponential = Conventions(gain="exponential")
    grade_2_at_rank_3 = {"b": 2}
    for name, dcg in [("DCG", 3 / 2), ("DCG(dcg='log2')", 1), ("DCG(dcg='exp-log2')", 3 / 2)]:
        assert measure_list(name, RANKED, grade_2_at_rank_3, conventions=exponential) == dcg
    assert measure_list("DCG(dcg='exp-log2')", RANKED, grade_2_at_rank_3) == 3 / 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "infAP",
            "Expected one of RR, AP, nDCG, DCG, ERR, RBP, P, R, Rprec, Success, Bpref, Judged, "
            "optionally with a cutoff, such as 'nDCG@10'.",
        ),
        ("MRRR@20", "such as 'nDCG@10'. The nearest is 'RR@20'."),
        ("Recal@5", "The nearest is 'R@5'."),
        ("hitrat_10", "The nearest is 'Success@10'."),
        ("nDGC(rel=2)@7", "The nearest is 'nDCG@7'."),
        ("ndcgg_at_10", "The nearest is 'nDCG@10'."),
        ("recal@k", "The nearest is 'R'."),
        ("map@10-", "The nearest is 'AP@10'."),
        ("F1@5", "F1 is 2 / (1 / v['P@5'] + 1 / v['R@5'])."),
        ("f_score", "Pass 'P@10' and 'R@10' instead"),
        ("P@", "'P@' is not a measure"),
        ("P@-1", "'P@-1' is not a measure"),
        ("", "'' is not a measure"),
        (None, "'None' is not a measure"),
        ("P@0", "k=0 is not a cutoff; expected a whole number from 1, or None."),
        ("nDCG(rel=2)", "option 'rel=2' is not known; nDCG has dcg='log2' and dcg='exp-log2'."),
        ("AP(judged_only=True)", "'judged_only=True' is not known; AP has rel=1, rel=2 and so on."),
        ("P(rel=0)@5", "rel=0 is not an option; P has rel=1, rel=2 and so on."),
        ("P(rel='1')@5", "option \"rel='1'\" is not known; P has rel=1, rel=2 and so on."),
        ("P(rel=1_0)@5", "option 'rel=1_0' is not known; P has rel=1, rel=2 and so on."),
        ("Judged(rel=2)@4", "'rel=2' is not known; Judged has no options but a cutoff."),
        ("P(2)", "option '2' is not known"),
        ("RBP(p=1)", "p=1.0 is not an option; RBP has rel=1, rel=2 and so on, p=0.5, p=0.8 and"),
        ("RBP(p=-.1)@3", "p=-0.1 is not an option"),
        ("ERR(max_rel=0)", "max_rel=0 is not an option; ERR has max_rel=1, max_rel=2 and so on."),
        ("nDCG(dcg='log')", "dcg='log' is not an option; nDCG has dcg='log2' and dcg='exp-log2'."),
        ("nDCG(dcg=1)", "option 'dcg=1' is not known; nDCG has dcg='log2' and dcg='exp-log2'."),
    ],
)
def test_errors_say_what_is_known(name, message):
    with pytest.raises(ValueError, match="not") as caught:
        measure_list(name, ["a"], ["a"])
    assert message in str(caught.value)


@pytest.mark.parametrize("k", [0, -1, True, False, "5", 5.0, [5]])
def test_a_cutoff_is_a_whole_number_from_one(k):
    with pytest.raises(ValueError, match="is not a cutoff; expected a whole number from 1"):
        RR(k=k)


FUNCTIONS = [each for each in vars(functions).values() if hasattr(each, "__wrapped__")]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_a_function_of_one_list_names_the_source_of_its_measure(function):
    assert measure_named(function.__name__).source in " ".join(function.__doc__.split())


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    # two hits in three, of four; no hit at all
    run = {"some": ["a", "x", "b"], "none": ["x", "y", "z"]}
    qrels = {"some": ["a", "b", "c", "d"], "none": ["a"]}
    with pytest.raises(ValueError, match="is not a measure") as said:
        measure_named("F1@3")
    formula = str(said.value).partition("F1 is ")[2].rstrip(".")
    v = evaluate(run, qrels, ["P@3", "R@3"])
    f1 = eval(formula, {"v": v})
    assert f1.tolist() == [pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2)), 0]
