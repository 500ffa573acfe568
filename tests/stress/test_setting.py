"""The setting of the rounds works, which must not first be noticed during a long run."""

from pathlib import Path

import pytest

from tests.stress import setting
from tests.stress.setting import Setting, done, is_published


@pytest.mark.long
def test_the_setting_is_an_import_that_prints_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "GAMES", 20)
    monkeypatch.setattr(setting, "LOT_BYTES", 4_000)
    ready = Setting(tmp_path)
    assert len(set(done(tmp_path / "whole.zertz"))) > 2
    assert is_published(tmp_path / "whole.zertz", ready)
    assert not is_published(ready.before, ready)
