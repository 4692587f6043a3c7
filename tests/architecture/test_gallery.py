"""The gallery shows what is in figures/, and each figure has its three files."""

import json
from pathlib import Path

from tools import figures as gallery


def test_the_gallery_is_what_the_figures_and_the_audits_say(root: Path) -> None:
    written = (root / "figures" / gallery.PAGE).read_text(encoding="utf-8")
    assert written == gallery.page(root / "figures", root / "notebooks"), (
        "run: python -m tools.figures --gallery"
    )
    assert gallery.UNKNOWN[-1] not in written


def test_each_figure_of_the_gallery_has_its_files_and_a_notebook(root: Path) -> None:
    for name, about in gallery.descriptions(root / "figures").items():
        assert (root / "notebooks" / f"{about['notebook']}.ipynb").is_file(), name
        for kind in ("png", "svg"):
            assert (root / "figures" / f"{name}.{kind}").is_file(), name


def test_a_judged_number_stands_beside_the_printed_one(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "notebooks" / "audits").mkdir(parents=True)
    (tmp_path / "figures" / "one.json").write_text(
        '{"notebook": "audits/x", "caption": "Words.", "scale": "lab", "seed": 1,'
        ' "published": ["kp2-value", "kp2-nash-conv-100"]}',
        encoding="utf-8",
    )
    line = "| kp2-value | section 4.1 | -1/18 chips | \u22120.0556 | **met** | exact |"
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "", "execution_count": 1}
    cell["outputs"] = [
        {"output_type": "display_data", "metadata": {}, "data": {"text/markdown": line}}
    ]
    audit = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "notebooks" / "audits" / "x.ipynb").write_text(json.dumps(audit), encoding="utf-8")
    page = gallery.page(tmp_path / "figures", tmp_path / "notebooks")
    assert "| \u22120.0556 | met |" in page
    assert "| 0.916 chips |  | no audit yet |" in page
