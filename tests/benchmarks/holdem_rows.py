"""The rows of hold'em: strength, equity, whole hands, compiling; with the goals pokerlab set itself."""

from tests.benchmarks.rows import OPENSPIEL, PHEVALUATOR, POKERKIT, RLCARD, SVAL, Row

HOLDEM_COMPARED = [
    *(
        Row(
            what="strength of 7 cards",
            task="strength",
            game=game,
            peers=(SVAL, PHEVALUATOR),
            faster={SVAL: 1.4, PHEVALUATOR: 30},
            smoke=game == "in_cache",
        )
        for game in ("in_cache", "in_memory")
    ),
    *(
        Row(
            what="strength of 7 cards, from prebuilt keys",
            task="strength_from_keys",
            game=game,
            peers=(SVAL,),
            faster={SVAL: 2.4},
            smoke=game == "in_cache",
        )
        for game in ("in_cache", "in_memory")
    ),
    Row(
        what="strength of 7 cards, cards checked",
        task="strength_checked",
        game="in_memory",
        peers=(PHEVALUATOR,),
    ),
    *(
        Row(
            what="a whole hand",
            task="hands",
            game=game,
            peers=(OPENSPIEL, RLCARD, POKERKIT),
            faster={OPENSPIEL: 60, RLCARD: 600, POKERKIT: 5000},
            within=1 / hands_a_second,
            smoke=True,
        )
        for game, hands_a_second in {"six_seats": 2e6, "heads_up": 6e6}.items()
    ),
    *(
        Row(what=what, task=task, game=game, peers=peers, smoke=game == "heads_up")
        for what, task in (
            ("a hand of rule genomes", "hands_by_rules"),
            ("a hand of rule genomes, all of Python", "hands_by_rules_in_python"),
        )
        for game, peers in (
            ("ten_seats", (OPENSPIEL, POKERKIT)),
            ("heads_up", (OPENSPIEL, RLCARD, POKERKIT)),
        )
    ),
    *(
        Row(
            what=what,
            task=task,
            game="six_seats",
            peers=(OPENSPIEL, RLCARD, POKERKIT),
            smoke=task == "hands_by_networks",
        )
        for what, task in (
            ("a hand of networks", "hands_by_networks"),
            ("a hand of networks, all of Python", "hands_by_networks_in_python"),
        )
    ),
]

HOLDEM_ALONE = [
    Row(what="all 133,784,560 hands of 7 counted", task="all_hands", within=0.25),
    Row(what="equity of all starting hands", task="starting_hands", within=0.7, smoke=True),
    Row(what="equity of all holdings on all flops", task="flops", within=7.0),
    Row(what="equity of all holdings on all turns", task="turns", within=3.0),
    Row(what="equity of all holdings on a river", task="everybody", within=4e-6, smoke=True),
    *(
        Row(what="a hand of players at a table", task="hands_of_players", game=game)
        for game in ("six_seats", "heads_up")
    ),
    Row(
        what="a hand at 200 tables of ten out of 100 players",
        task="hands_at_many_tables",
        within=1 / 200_000,
    ),
    Row(
        what="a decision of a rule genome, ten seats, table and all",
        task="decisions_by_rules",
        within=180e-9,
    ),
    *(
        Row(what=f"a decision of {networks}, table and all", task=task, within=500e-9)
        for networks, task in (
            ("a random network, six seats, nobody watched", "decisions_by_six_networks"),
            ("an evolved network, ten seats, all watched", "decisions_by_ten_networks"),
            ("an evolved network among 1,000 entrants, all watched", "decisions_in_a_tournament"),
            (
                "a random network among 1,000 entrants, all watched",
                "decisions_in_a_first_tournament",
            ),
        )
    ),
    Row(
        what="exploitability of a tuple table, six buckets",
        task="bucketed_exploitability",
        within=0.5e-3,
    ),
    Row(
        what="exploitability of a profile by decision, six buckets",
        task="bucketed_exploitability_by_decision",
    ),
    Row(what="gradient of a tuple table's exploitability", task="bucketed_slope"),
    Row(what="CFR in six buckets, an iteration", task="bucketed_cfr"),
    Row(what="CFR+ in six buckets, to NashConv 0.01", task="bucketed_cfr_to_1e-2", within=60.0),
    Row(what="exploitability descent to 0.26", task="bucketed_descent", within=5.0),
    Row(what="an evolution of 16 x 200 tuple tables", task="bucketed_evolution", within=5.0),
    Row(
        what="local best response with real cards, a deal in both seats",
        task="local_best_response",
        within=0.01,
    ),
    Row(what="compiling hold'em, nothing compiled", task="compile_holdem", within=20.0),
    Row(what="loading compiled hold'em", task="compiled_holdem", within=1.0),
    Row(what="compiling all of pokerlab, nothing compiled", task="compile_all"),
    Row(what="loading all of pokerlab, compiled", task="compiled_all"),
]
