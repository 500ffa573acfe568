"""Names that look alike are one name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.store.names import fold_name, tidy_name

ALIKE = [
    ("René", "Rene\u0301"),
    ("RENÉ", "rene\u0301"),
    ("Ada", "Ada "),
    ("Ada L", " Ada\u00a0 L\t"),
    ("Ada L", "Ada\u2003L"),
    ("Straße", "STRASSE"),
    ("ﬁona", "FIONA"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("Ada", "A\u200bda\ufeff"),
    ("Ada", "\u202aAda\u202c"),
    ("Å", "\u212b"),
    ("각", "\u1100\u1161\u11a8"),
]
DIFFERENT = [("Ada", "Adá"), ("Ada L", "AdaL"), ("Ada", "\u0410da"), ("o", "ø"), ("\u0131", "i")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_letters_are_another_name(one: str, other: str) -> None:
    assert fold_name(one) != fold_name(other)


@given(st.text())
def test_the_normal_form_is_its_own(name: str) -> None:
    folded = fold_name(name)
    assert fold_name(folded) == folded == unicodedata.normalize("NFC", folded)
    assert folded == folded.strip()


@given(
    st.text(st.characters(exclude_characters="\u0131")),
    st.sampled_from(["NFC", "NFD"]),
    st.sampled_from([str.upper, str.lower, str.casefold]),
)
def test_forms_and_cases_do_not_matter(name: str, form: str, case: object) -> None:
    assert fold_name(unicodedata.normalize(form, case(name))) == fold_name(name)  # type: ignore[operator]


@given(st.text())
def test_a_tidy_name_is_the_same_name(name: str) -> None:
    assert fold_name(tidy_name(name)) == fold_name(name)


def test_shown_without_spaces_at_its_ends() -> None:
    assert tidy_name(" Rene\u0301\u00a0 D ") == "René D"
