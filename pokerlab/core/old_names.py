"""The names that changed since pokerlab 1.0: public names, parameters, and names in files.

The use of an old public name or parameter raises an error that states the new name. Files of pokerlab 1.0 can still be
read. Recordings and checkpoints contain the names that classes, parameters and fields of states had when the file was
written, so these names are replaced when a file is read. They also contain the fingerprints of games, so a game that is
now represented in another way keeps its fingerprint.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from pokerlab.core.errors import SettingError, quote_value

MAKERS = {"columns": "make_columns", "solver": "make_solver"}
RENAMED_IN_PAPERS: dict[str, dict[str, str]] = {
    "lanctot2014": {
        **MAKERS,
        "measure_fixed_distance": "measure_distance_from_fixed_probabilities",
        "published": "select_published_numbers",
    },
    "nicolai2009": {
        **MAKERS,
        "encoding": "make_encoding",
        "fitness": "make_fitness",
        "game": "make_game",
        "hall": "make_hall_of_fame",
        "make_old_agents": "nicolai2009_agents.make_old_agents",
        "make_static_agents": "nicolai2009_agents.make_static_agents",
    },
    "noble2001": {
        **MAKERS,
        "encoding": "make_encoding",
        "fitness": "make_fitness",
        "game": "make_game",
        "selection": "make_selection",
    },
    "oliehoek2006": {**MAKERS, "published": "select_published_numbers"},
    "samothrakis2011": {**MAKERS, "encoding": "make_encoding"},
    "samothrakis2011_holdem": {**MAKERS, "game": "make_game"},
}
"""For each module of `pokerlab.papers` the functions that were renamed since pokerlab 1.0, and their new names."""

PUBLIC_NAMES: dict[str, dict[str, str]] = {
    "pokerlab.strategies": {
        name: f"pl.holdem.{name}"
        for name in (
            "MatrixEncoding",
            "RuleEncoding",
            "TableNetwork",
            "TupleTable",
            "decision",
            "habits",
        )
    }
    | {
        "Activations": "pokerlab.holdem.network_habits.Activations",
        "BehaviorEncoding": "pokerlab.strategies.encoding.BehaviorEncoding",
        "Encoding": "pokerlab.strategies.encoding.Encoding",
        "Habits": "pokerlab.holdem.network_habits.Habits",
        "features": "pokerlab.holdem.network_habits.describe_inputs",
        "inputs_at": "pokerlab.holdem.network_habits.compute_view_inputs",
        "rules": "pokerlab.holdem.rule_genome.make_rule_genome",
        "street": "pokerlab.holdem.rule_genome.make_street_genes",
        "pure_plans": "pokerlab.strategies.pure_strategies.list_pure_plans",
    },
    "pokerlab.evolution": {
        "EvolutionStrategy": "pokerlab.evolution.evolution_strategies.EvolutionStrategy"
    },
    "pokerlab.solvers": {
        "BestPurePair": "pl.solvers.BestPureProfile",
        "BucketedCFR": "pl.holdem.BucketedCFR",
        "DynamicsState": "pokerlab.solvers.dynamics.DynamicsState",
        "ExactReply": "pl.solvers.ExactWorstCase",
        "ExploitabilityDescent": "pl.holdem.ExploitabilityDescent",
        "InteriorPointProgram": "pokerlab.solvers.subgame.InteriorPointProgram",
        "PolynomialWeights": "studies.lanctot2014.polynomial_weights.PolynomialWeights",
        "PopulationState": "pokerlab.solvers.population_coevolution.PopulationState",
        "Replies": "pl.solvers.BestResponse",
        "RestPoint": "pokerlab.solvers.stability.RestPoint",
        "RestPoints": "pokerlab.solvers.stability.RestPoints",
        "Searches": "pl.solvers.BestResponse",
        "SeatReplies": "pl.solvers.SeatWorstCases",
        "Solver": "pokerlab.solvers.protocol.Solver",
        "replace_strategies": "pokerlab.solvers.disturbances.replace_strategies",
        "rest_points": "pl.solvers.find_rest_points",
        "set_action_probability": "pokerlab.solvers.disturbances.set_action_probability",
        "tournament": "pl.solvers.compare_mixtures",
    },
    "pokerlab.evolution.population": {
        "EquilibriumMix": "pl.evolution.population.EquilibriumMixture",
        "NO_HALL": "pokerlab.evolution.population.hall.NO_HALL",
        "RingGames": "pl.holdem.RingGames",
        "Sampled": "pl.evolution.population.SampledOpponents",
        "Tournaments": "pl.holdem.Tournaments",
    },
    "pokerlab.holdem": {
        "Activations": "pokerlab.holdem.network_habits.Activations",
        "BucketedHoldem": "pl.holdem.bucketed_holdem.BucketedHoldem",
        "Habits": "pokerlab.holdem.network_habits.Habits",
        "Placed": "pl.holdem.tournament_game.TournamentResult",
        "Played": "pl.holdem.cash_game.CashGameResult",
        "RingGame": "pl.holdem.cash_game.RingGame",
        "Schedule": "pl.holdem.tournament_game.Schedule",
        "Structure": "pl.holdem.betting_structure.Structure",
        "Tournament": "pl.holdem.tournament_game.Tournament",
        "card_symbols": "pl.holdem.format_cards",
        "card_text": "pl.holdem.format_cards",
        "category": "pl.holdem.name_category",
        "comparisons": "pl.holdem.count_comparisons",
        "compute_view_inputs": "pokerlab.holdem.network_habits.compute_view_inputs",
        "describe_inputs": "pokerlab.holdem.network_habits.describe_inputs",
        "doubling": "pl.holdem.make_doubling_schedule",
        "hand_text": "pl.workbench.draw_hand",
        "ladder": "pokerlab.holdem.tournament_game.make_pokerstars_schedule",
        "make_pokerstars_schedule": "pokerlab.holdem.tournament_game.make_pokerstars_schedule",
        "make_rule_genome": "pokerlab.holdem.rule_genome.make_rule_genome",
        "make_street_genes": "pokerlab.holdem.rule_genome.make_street_genes",
        "real_worst_case": "pl.holdem.find_real_worst_case",
        "round_robin": "pl.holdem.play_round_robin",
        "sampled_win_probability": "pl.holdem.estimate_win_probability",
        "showdowns": "pl.holdem.count_showdowns",
        "strength": "pl.holdem.evaluate_hand",
        "versus": "pl.holdem.estimate_winnings",
    },
    "pokerlab.metrics": {
        "Ratings": "pokerlab.metrics.match_results.Ratings",
        "correlated_equilibrium": "pl.metrics.find_correlated_equilibrium",
        "holm": "pl.metrics.apply_holm_correction",
        "ratings": "pl.metrics.rate_players",
        "sequential_gains": "studies.lanctot2014.sequential_gains.sequential_gains",
        "solution_concepts": "pl.metrics.apply_solution_concepts",
    },
    **{
        f"pokerlab.papers.{paper}": {
            # Only a name with its module has a dot.
            old: f"pl.papers.{new}" if "." in new else f"pl.papers.{paper}.{new}"
            for old, new in names.items()
        }
        for paper, names in RENAMED_IN_PAPERS.items()
    },
    "pokerlab.reference": {
        "constraint_violation": "pl.reference.measure_constraint_violation",
        "counterfactual_values": "pl.reference.compute_counterfactual_values",
        "expected_utilities": "pl.reference.compute_expected_utilities",
        "force_sequence": "pl.reference.compute_forced_plan",
        "g_q": "pl.reference.compute_forced_plan",
        "histories": "pl.reference.iterate_histories",
        "information_sets": "pl.reference.list_information_sets",
        "pure_strategies": "pl.reference.iterate_pure_strategies",
        "realization_plan": "pl.reference.compute_realization_plan",
        "realization_plans": "pl.reference.compute_realization_plans",
        "replicated": "pl.reference.replicate_plan",
        "utility": "pl.reference.compute_utility",
    },
    "pokerlab.papers": {
        "normal_form_dynamics": "studies.lanctot2014.normal_form_dynamics",
        "published_numbers": "pl.papers.read_published_numbers",
    },
    "pokerlab.workbench": {
        "draw_beliefs": "pokerlab.workbench.drawings.trees.draw_beliefs",
        "evolved_of": "pokerlab.workbench.views.evolution.extract_evolved",
        "extract_mixtures": "pokerlab.workbench.views.memory.extract_mixtures",
        "mixes_of": "pokerlab.workbench.views.memory.extract_mixtures",
        "plot_evolution": "pl.workbench.bench",
        "plot_mixes": "pokerlab.workbench.views.memory.plot_mixtures",
        "plot_mixtures": "pokerlab.workbench.views.memory.plot_mixtures",
        "plot_published": "pokerlab.workbench.views.curves.plot_published",
        "plot_set_sizes": "pokerlab.workbench.views.memory.plot_set_sizes",
        "predict": "pl.predict",
        "published": "pokerlab.workbench.views.curves.plot_published",
        "starting_hands": "pl.workbench.list_starting_hands",
        "table_of_results": "pl.workbench.plot_results_table",
    },
    "pokerlab.core": {
        "Checked": "pl.core.CheckedSettings",
        "SMALL_BETS": "pokerlab.core.units.SMALL_BETS",
        "Setting": "pokerlab.core.settings.Setting",
        "number": "pl.core.validate_number",
        "settings_of": "pl.core.list_settings",
        "stream": "pl.core.random_stream",
        "whole": "pl.core.validate_integer",
    },
    "pokerlab.games": {
        "Contest": "pokerlab.games.contests.Contest",
        "locked": "pl.games.lock_infosets",
        "open_cards": "studies.samothrakis2011.open_cards.open_cards",
        "playthrough": "pl.games.describe_playthrough",
        "raked": "pl.games.rake_game",
        "self_play": "pokerlab.games.symmetric.self_play",
        "unlocked": "pl.games.unlock_profile",
    },
}
"""For each package of pokerlab 1.0 the names that were moved or renamed since then, and where each one is now.

Code that only audits use was moved to the package `studies` in `notebooks/audits`.
"""

RESULTS_OF_HANDS = {
    "by_player": "sum_by_player",
    "hands_of": "hands_played",
    "in_big_blinds": "convert_to_big_blinds",
    "played": "replay_hands",
    "recorded": "get_record",
    "rounds_of": "replay_rounds",
    "seats": "list_names_at_table",
    "seats_at": "list_names_at_table",
    "stacks_at": "find_starting_stacks",
    "tables_of": "num_seats_by_player",
}
"""Methods of the results of cash games and tournaments that were renamed since pokerlab 1.0, and their new names."""
ATTRIBUTES: dict[str, dict[str, str]] = {
    "BeliefNode": {"hypotheses": "hypothesis_indices"},
    "Bench": {
        "pin": "pin_run",
        "refresh": "refresh_picture",
        "running": "is_running",
        "toggle": "toggle_run",
        "unpin": "unpin_run",
    },
    "BucketedHoldem": {
        "lanes": "batched_tree",
        "legal": "is_legal",
        "odds": "chance_matrices",
    },
    "CompiledPlayer": {"answer": "decision_function"},
    "Comparisons": {"value": "find_win_share"},
    "EquilibriumMixture": {"most": "largest_share"},
    "EvolutionState": {"deviations": "gene_deviations"},
    "ExactWorstCase": {"values": "compute_losses"},
    "Experiment": {
        "columns": "make_columns",
        "published": "select_published_numbers",
        "solver": "make_solver",
    },
    "Explorer": {"move": "move_controls", "press": "press_button"},
    "Hand": {
        "able": "seats_able_to_act",
        "answered": "answered_bets",
        "capped": "is_cap_reached",
        "legal": "legal_actions",
        "live": "live_seats",
        "uncalled": "uncalled_chips",
        "verify": "validate_action",
    },
    "History": {"at": "select_row"},
    "HoldemMatch": {"is_out": "is_reader_out", "names": "seat_names"},
    "HoldemTable": {"thoughts": "list_thoughts"},
    "InnerRun": {"won": "response_winnings"},
    "InnerState": {"value": "gain"},
    "IntransitiveNumbers": {"checked": "validate_strategies"},
    "LimitMatch": {"name": "opponent_name"},
    "Match": {
        "counts": "action_counts",
        "expected": "compute_expected_winnings",
        "met": "num_visited_infosets",
        "observed": "observed_profile",
        "worth": "compute_value",
    },
    "NashMemoryState": {"memory": "unused_strategies"},
    "NestedRuns": {"exact": "exact_exploitability", "found": "found_exploitability"},
    "NetworkDecision": {
        "chances": "output_probabilities",
        "likely": "action_probabilities",
        "said": "describe_action",
    },
    "NetworkEncoding": {"outputs": "output_actions", "seen": "network_inputs"},
    "PSRO": {"vanishing_weight": "tremble"},
    "PairedSums": {
        "half_width": "compute_half_width",
        "quantile": "compute_t_quantile",
        "tests": "compute_t_tests",
    },
    "ParallelNashMemory": {"vanishing_weight": "tremble"},
    "ParetoFront": {"most": "largest_share"},
    "Profile": {
        "at": "action_probabilities",
        "of": "get_behavior",
        "table": "to_table",
    },
    "PublicTree": {"legal": "is_legal", "raises": "num_raises"},
    "Ratings": {"table": "winnings"},
    "SeatView": {
        "hand": "hand_number",
        "hole": "hole_cards",
        "legal": "legal_actions",
        "live": "is_live",
        "overall": "overall_aggressiveness",
        "recent": "recent_aggressiveness",
    },
    "Security": {"lost": "is_lost", "met": "is_stored", "secure": "is_secure"},
    "SitAndGo": {"decisions": "iterate_decisions"},
    "Structure": {"ante_from": "ante_payer", "folds_lift_cap": "unlimited_after_folds"},
    "TableResults": RESULTS_OF_HANDS,
    "TupleTable": {"possible": "has_effect", "table": "compute_table"},
}
"""For each class the methods that were renamed since pokerlab 1.0, and their new names."""

PARAMETERS: dict[str, str] = {
    "answer": "decision_function",
    "ante_from": "ante_payer",
    "chances": "parent_probabilities",
    "columns": "make_columns",
    "first": "row_payoffs",
    "folds_lift_cap": "unlimited_after_folds",
    "matches": "pairings",
    "most": "largest_share",
    "pots": "pot_multiple",
    "published": "select_published_numbers",
    "second": "column_payoffs",
    "share": "work_divider",
    "solver": "make_solver",
    "vanishing_weight": "tremble",
    "wanted": "objective",
    "what": "game_or_encoding",
    "worth": "fitness",
}
"""Parameters and settings that were renamed since pokerlab 1.0, and their new names."""

KINDS: dict[str, str] = {
    "BestPurePair": "BestPureProfile",
    "EquilibriumMix": "EquilibriumMixture",
    "ExactReply": "ExactWorstCase",
    "Sampled": "SampledOpponents",
    "SeatReplies": "SeatWorstCases",
}
"""Classes whose old names occur in recordings and checkpoints, and their new names."""

STATE_FIELDS: dict[str, str] = {
    "chances": "parent_probabilities",
    "hall_score": "hall_fitness",
    "mean": "gradient_mean",
    "last_reply": "last_response",
    "mix": "mixtures",
    "mixes": "mixtures",
    "plays": "is_playing",
    "reply": "response",
    "score": "fitness",
    "since": "entered",
    "square": "gradient_square",
    "strategies": "pools",
}
"""Fields of states whose old names occur in checkpoints, and their new names."""

METHODS: dict[str, str] = {
    "behaviors": "compute_behaviors",
    "check": "check_game",
    "checked": "validate_genomes",
    "choices": "gene_groups",
    "first_responses": "make_first_responses",
    "fitness": "compute_fitness",
    "fixation": "compute_fixation_probabilities",
    "folded": "reflect_into_range",
    "head_start": "make_head_start",
    "limit": "integrate_limit",
    "matrices": "make_matrices",
    "measure": "measure_losses",
    "players": "make_players",
    "profile": "make_profile",
    "random": "draw_genomes",
    "rescale": "rescale_genome",
    "response_size": "count_response_genes",
    "start": "default_start",
}
"""Methods and properties that were renamed since pokerlab 1.0, and their new names.

They are those of encodings, symmetric games, parts of solvers, worst cases and Moran processes.
"""

OF_ONE_CARD_POKER = """
    8b13bd37499205b0 e451a79a1bd3594e 289ec458790616ba 02b4c6b4e2d0274d 4d40e3513db3496d 6c08c15fec6e55b0
    2c399967885b2065 f051ede84fc41980 464966d31cbb8ba3 3a93b18b319e68fc ec8b86a012cb78c9 398f7a910f38152b
    cb676f1477fca278 4e59b5dd6faead35 9bffff16c9cd65d3 9858d97e8dbf50c4 eef3e9c7202d48dc e281c4b5d4b41793
    3e2dbb55a35d342c 2de2722117f479ff e831214c808accbd c615666ee957b92b b34a2b89072c524c 524d79205ba116df
    0096163d0ef2c42e 9df9e426a7a63419 a3fc360f62437135 0b545bbebd901b6e 4951f8f6d4c8aebb 3ade3c18f9710d1b
    4d3c24e27849e643 8507841223cd26c0 72e2b0d8e3d178cd aada014b63dc3b14 b787add86948052e eda3ef6a9ce073bf
    73bf4f5c38d25758 d92e7548674d2e08 589e8eef3b7cfe4c f47e46f879d6b4c4 05d632fb0da53080 5e94f4ebb3ef8983
    055f4de0c8d9199d 262aaf4e4e1f4270 7833e377d2d7ba73 08207dd12342f276 99f226d78239aaf8 3c5acd5acd2fdbab
    b1aba94af2a0ad5e ddb38551dac4cce5 1ec78fd75b08f663 30ffb9f3b26a17b9 789965438a0b48b8 6b0aa3bbfec4e034
    f1bc90201a385c69 7208a3a30ac3b149 84eb92cacff070af 9d75367485f21414 b43b37a5ad625c1c c467bc0324bf2424
    85ea219e3b39e7d8 1f928800c4fb59fe 52c01a8bc4a3a3f7 a20f46c3c9af72ab 48852bb981d4f49d bf6273313fd8c1a6
    9c7d4c25370a4ba5 c0792d18a0d1e6fb dc4088fae4f19cd9 110411a7fb90bd58 5da2059d84e3ed42 973ab48d15e3bd3e
    807ec200014f8ba0 958e961905ef33cb ab38403f8d77aae6 b44a83eda0b3b5c7 57fbee2f52554052 f0f82cdb5e6e2d48
    a5469576cae41447 e494aefc64cc08da d77cfff2cd3f3261 6933c3628e097f6a 9d6bb8583f658ce5 4cc1f6553274fe8e
    6002108e5f4709c4 f7afc1d504be03ed 1eb44230106b6400 0b892125040ba035 1c3a2151c925b887 f2d635b0ed0f2419
    0d8adc0014a59719 73d4601b8ae8be0f 83bf9ae1ae46f79f 77e788669175c2d8 54cc2d6c826ccc9a 1d6bf0f8c87fac1f
    b20d94b606f74f07 9474dcc13135c9ef a9a2e186701d7d13 120fe701b3e4f0fa 491397f839e736eb dd14fd81a0392d91
    1bfbf9205818a061 16690bc725e002f3 c3bedbaafa1fac87 1bfea4f27b3c3053 67a2160c6c21ccaf dbd548e07f7cb72a
    f93b8ec94a96ad80 97fa91234d41084a 3ba502c230aeafe8 037cc6633d05678b 929a8d75595ba156 92a357019b73f83a
    01482608e7bd8064 b4560c8d433b97bf a3cf0ab1547aaf67 aa4ca337599841da 7c990b6288b9ed0d 1579e5a6ebb23e82
    6e86bc16cb8dbd90 658cb9ab3224765c 4911e730c63008c0 62c6a40a7b4458b9 fcd0807ef2d9a526 7ce0e2c5b6841b51
    80ee451f541d25b7 5533daa00e579e61 04e08b149fc7fc81 673906ab912c4205 8439e179df806e75 3ca019babe81b743
    6f899f105f9b6196 29e13ddf35e31fd4 8a93a4bd0c31954b 5252744070118e2e fe53fae1c4d42fd7 641b3184842ed858
    9765679935bffbc8 445fe48f686d161e fdc09b3dd073c4ed 869432008b73d986 49a8ed9d3717b31e 00178a76b00a6820
    30fc2628523f2b70 4851632837006c5f 38fe2359673b3d5a 944920febbdaca54 69612504c6c1e6e5 6542a7e312118ca5
    c66330b237a04efe 1c7d9c45bebcee46 b269be1fa71fc1a1 c42453df3e9a745b e6f7137698ef4db7 8e0a2fc26c66cf99
    fc6e6ddd89d845cc 6402b89b8f06991e 1a6236a540181707 2de8bf58295210fc 5e9207c7fbe6cd6f 90e972c1aebab1ce
    132a027e0dee70ab c23d1218c81ce58f ad19ca2ba7d2374b 6b42bc9013c484eb b9e097eb7dca2301 d90da2c10e74f8da
    c852437d423ad222 0ab970ffc0149d3a 261051dc56fa55bd 79fa417ff855840b d31d44711ee0ae6f 22e7cd2f60de22ce
    7ed0868a2f1c38f1 7523355ae2e260d7 0d1a52a6879e814e 1d76955ccecfffea 1eebdf452aa4d1a3 29da888f0beeac2f
    5aa18366c5b0b041 bb76ff89e4d6f604 3c755c0be9fb1525 25004b8a453f3b75 fbf9184236046fa2 2cb1aabb6f2fc39f
    7c932ae0af269ac6
"""
"""The fingerprints of one-card poker with 14 to 200 ranks."""
FINGERPRINTS: dict[str, str] = {
    "KP(5)": "825f5547732014e8",
    "KP(6)": "a64a09756659afe1",
    **{
        f"{ranks}-card poker": fingerprint
        for ranks, fingerprint in enumerate(OF_ONE_CARD_POKER.split(), start=14)
    },
}
"""The fingerprints of games by cards whose terminals were listed in earlier versions, by the name of the game.

Files of these versions contain them, so the games keep them.
"""

Callee = TypeVar("Callee", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


def reject_missing_name(package: str, name: str) -> NoReturn:
    """Raise the error about a public name that a package does not have, with the new name if it was renamed.

    A package uses this function as its `__getattr__`, which Python calls only for names that the package lacks.

    Parameters
    ----------
    package : str
        The package, such as 'pokerlab.games'.
    name : str
        The name that the package does not have.

    Raises
    ------
    ImportError
        If the package had this name in pokerlab 1.0. The message states the new name.
    AttributeError
        If the package never had this name.
    """
    new_name = PUBLIC_NAMES.get(package, {}).get(name)
    if new_name is None:
        raise AttributeError(
            f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
        )

    old_name = f"{package}.{name}".replace("pokerlab", "pl", 1)
    where = ", in notebooks/audits," if new_name.startswith("studies.") else ""
    raise ImportError(f"{old_name} is {new_name}{where} since pokerlab 2. Use that name.")


def reject_renamed_parameters(callee: Callee) -> Callee:
    """Decorate a function or class so that the old name of a renamed parameter raises an error with the new name.

    The mapping `PARAMETERS` has the new name of each parameter that was renamed since pokerlab 1.0. Its entries apply
    if the function or class has a parameter with the new name and none with the old name.

    Parameters
    ----------
    callee : type or callable
        The class, whose constructor is meant, or the function.

    Returns
    -------
    type or callable
        A new function, or the class itself, whose `__init__` is replaced in place. Both raise a SettingError if they
        are called with an old name.

    Raises
    ------
    SettingError
        When the new function is called, not while the function or class is decorated.
    """
    accepted_parameters = inspect.signature(callee).parameters
    old_names = {
        old: new
        for old, new in PARAMETERS.items()
        if new in accepted_parameters and old not in accepted_parameters
    }
    is_class = isinstance(callee, type)
    function: Any = callee.__init__ if is_class else callee

    @functools.wraps(function)
    def check_and_call(*arguments: Any, **keyword_arguments: Any) -> Any:
        """Call the function, or raise a SettingError if an argument has the old name of a parameter."""
        for old in keyword_arguments.keys() & old_names.keys():
            raise SettingError(
                f"{callee.__name__} was given {old}=, which is called {old_names[old]}= since pokerlab 2. Pass"
                f" {old_names[old]}=."
            )
        return function(*arguments, **keyword_arguments)

    if not is_class:
        return check_and_call  # type: ignore[return-value]
    callee.__init__ = check_and_call  # type: ignore[method-assign]
    return callee


def reject_function_with_old_parameters(
    name: str, function: Any, argument_names: Iterable[str]
) -> None:
    """Raise a SettingError if a parameter of a user's function still has its name of pokerlab 1.0.

    Pokerlab passes arguments to a user's function by their present names, so such a function could not be called.

    Parameters
    ----------
    name : str
        The parameter of pokerlab to which the user has passed the function, such as 'fitness'. The error message begins
        with it.
    function : Any
        The user's function. Nothing is checked if its signature is not available.
    argument_names : iterable of str
        The names by which pokerlab passes arguments to the function.

    Raises
    ------
    SettingError
        If the function lacks one of these names, and has the old name of this parameter instead.
    """
    try:
        accepted_parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return  # a function in C whose signature is not available

    for old, new in PARAMETERS.items():
        if new in argument_names and old in accepted_parameters and new not in accepted_parameters:
            raise SettingError(
                f"{name} is {quote_value(function)}, whose argument {old} is called {new} since pokerlab 2. Rename it."
            )


def explain_renamed_attributes(owner: Class) -> Class:
    """Decorate a class so that the old name of a renamed attribute raises an AttributeError with the new name.

    The class is changed in place: it gets a method `__getattr__`, which Python calls only for attributes that an object
    does not have.

    Parameters
    ----------
    owner : type
        The class.

    Returns
    -------
    type
        The same class.

    Raises
    ------
    AttributeError
        When a missing attribute is read from an object, not while the class is decorated.
    """

    def explain_missing_attribute(instance: Any, name: str) -> NoReturn:
        """Raise the AttributeError about an attribute that an object lacks, with the new name if it was renamed."""
        owner_of_name = type(instance)
        new_name = find_new_name_of_attribute(owner_of_name, name)
        if new_name is None:
            reason = f"'{owner_of_name.__name__}' object has no attribute '{name}'"
        else:
            class_name = owner_of_name.__name__
            reason = (
                f"{class_name}.{name} is {class_name}.{new_name} since pokerlab 2. Use that name."
            )
        raise AttributeError(reason, name=name, obj=instance)

    owner.__getattr__ = explain_missing_attribute  # type: ignore[attr-defined]
    return owner


def find_new_name_of_attribute(owner: type, old_name: str) -> str | None:
    """Return the present name of a class's attribute that was renamed since pokerlab 1.0, or None if there is none.

    Parameters
    ----------
    owner : type
        The class. Attributes that were renamed in one of its base classes count, too.
    old_name : str
        The old name of the attribute.
    """
    new_name = METHODS.get(old_name)  # the old names that several classes shared

    # The class itself comes last, so its own names replace those of its base classes.
    for base in reversed(owner.__mro__):
        new_name = ATTRIBUTES.get(base.__name__, {}).get(old_name, new_name)
    if new_name is None:
        return None

    # A dataclass field without a default is only in the annotations of its class, not an attribute of it.
    is_field = any(new_name in vars(base).get("__annotations__", {}) for base in owner.__mro__)
    return new_name if is_field or hasattr(owner, new_name) else None


def reject_object_with_old_methods(name: str, value: Any, method_names: Iterable[str]) -> None:
    """Raise a SettingError if a needed method of a user's object still has its name of pokerlab 1.0.

    The object may also inherit the method under its new name from a base class of pokerlab. The error is raised
    nevertheless if the user's class defines the old name, because that definition would silently be ignored.

    Parameters
    ----------
    name : str
        The parameter of pokerlab to which the user has passed the object, such as 'encoding'. The error message begins
        with it.
    value : Any
        The user's object.
    method_names : iterable of str
        The present names of the methods that the object needs.

    Raises
    ------
    SettingError
        If the nearest definition of the old name is in a more derived class than any definition of the new name.
    """
    classes = type(value).__mro__  # from the class of the object to its most distant base class
    for old, new in METHODS.items():
        if new not in method_names or not callable(getattr(value, old, None)):
            continue

        # The position of the first class that defines each name. An old name that no class defines belongs to the
        # object itself, which comes before all classes. A new name that no class defines comes after them.
        position_of_old = next(
            (position for position, owner in enumerate(classes) if old in vars(owner)), 0
        )
        position_of_new = next(
            (position for position, owner in enumerate(classes) if new in vars(owner)), len(classes)
        )
        object_has_new = new in getattr(value, "__dict__", {})
        if position_of_old < position_of_new and not object_has_new:
            raise SettingError(
                f"{name} is {quote_value(value)}, whose method {old} is called {new} since pokerlab 2. Rename it."
            )


def rename_old_settings(settings: Any, expected: Any) -> Any:
    """Return the settings of a saved file, in which names of pokerlab 1.0 are replaced by the present ones.

    A key is renamed only if the file does not contain the new name, and the expected settings contain the new name and
    not the old one. Mappings inside the settings are treated in the same way. A text that is the old name of a class
    is replaced unless it is the expected text. All other values are returned unchanged.

    Parameters
    ----------
    settings : Any
        The settings in the file, or the value of one setting.
    expected : Any
        The expected settings, or the expected value.

    Returns
    -------
    Any
        A new dictionary if `settings` and `expected` are mappings, otherwise a value.
    """
    if isinstance(settings, str):
        return settings if settings == expected else KINDS.get(settings, settings)
    if not isinstance(settings, Mapping) or not isinstance(expected, Mapping):
        return settings

    renamed_settings = rename_keys(settings, expected, PARAMETERS)
    return {
        name: rename_old_settings(value, expected.get(name))
        for name, value in renamed_settings.items()
    }


def rename_keys(
    mapping: Mapping[str, Any], expected: Mapping[str, Any], new_names: Mapping[str, str]
) -> dict[str, Any]:
    """Return a copy of a mapping in which old keys are replaced by new ones, if the new ones are expected.

    Parameters
    ----------
    mapping : mapping of str to Any
        The mapping. A key is not replaced if its new name is a key as well.
    expected : mapping of str to Any
        The expected mapping. A key is replaced only if `expected` has the new name and not the old one.
    new_names : mapping of str to str
        The new name for each old one.

    Returns
    -------
    dict of str to Any
        The values by their new keys, in the order of `mapping`.
    """
    renamed_mapping = {}
    for key, value in mapping.items():
        new_name = new_names.get(key, key)
        is_renamed = new_name in expected and new_name not in mapping and key not in expected
        renamed_mapping[new_name if is_renamed else key] = value

    return renamed_mapping
