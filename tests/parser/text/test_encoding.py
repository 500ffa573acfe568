"""Bytes to text and back."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.parser.text.encoding import decode, encode, restore_cyrillic, with_line_feeds

TEXT = "Wd4,d1 – ZÈRTZ\r\nx d1Gd3\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (b"Wd4,d1", "Wd4,d1", "utf-8"),
        (TEXT.encode(), TEXT, "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), TEXT, "utf-8-sig"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), TEXT, "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT, "utf-16-be"),
        (TEXT.encode("utf-16-le"), TEXT, "utf-16-le-unmarked"),
        (TEXT.encode("utf-16-be"), TEXT, "utf-16-be-unmarked"),
        ("Игру выиграл(а) ada. 1:0".encode("cp1251"), "Игру выиграл(а) ada. 1:0", "cp1251"),  # noqa: RUF001
        ("“Zoë” – 1€".encode("cp1252"), "“Zoë” – 1€", "cp1252"),
        (b"\xf018\xf033\xf040\xf043 ada", "Игру ada", "latin-1-lost"),
        (b"Game won by \xf0ade", "Game won by ðade", "latin-1"),
        (b"\x81\xe9", "\x81é", "latin-1"),  # not a letter of CP1252
        (b"\xc9", "É", "latin-1"),
        (b"\xe9t\xe9 1:0", "été 1:0", "latin-1"),
        (b"Partie gagn\xe9e par ada", "Partie gagnée par ada", "latin-1"),
        (codecs.BOM_UTF16_LE + b"a", "ÿþa", "latin-1"),  # half a UTF-16 unit
        (codecs.BOM_UTF8 + b"\xe9", "ï»¿é", "latin-1"),
    ],
)
def test_the_encoding_is_found_by_the_bytes(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == (text, encoding)


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.text().map(lambda text: text.encode("utf-16-le", "replace"))
    | st.lists(st.sampled_from([b"\xf018", b"\xf0", b"18", b"a", b"\xe9", b"\xcf\xf0", b"\0", b"\x98"])).map(b"".join)
    | st.builds(
        bytes.__add__, st.sampled_from([codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE]), st.binary()
    )
)
def test_no_byte_is_lost(data: bytes) -> None:
    assert encode(*decode(data)) == data


@pytest.mark.parametrize(
    ("damaged", "restored"),
    [
        ("\xf018\xf033\xf040\xf043 \xf032\xf04b\xf038\xf033\xf040\xf030\xf03b(\xf030) ada.", "Игру выиграл(а) ada."),  # noqa: RUF001
        ("30 \xf041\xf035\xf03d\xf042\xf04f\xf031\xf040\xf04f 2016", "30 сентября 2016"),
        ("Game won by \xf0zil", "Game won by ðzil"),
        ("Game won by ada", "Game won by ada"),
    ],
)
def test_letters_that_lost_their_high_byte_are_cyrillic(damaged: str, restored: str) -> None:
    assert restore_cyrillic(damaged) == restored


@pytest.mark.parametrize(
    ("text", "read"), [("a\rb\r", "a\nb\n"), ("a\r\nb", "a\r\nb"), ("a\r\r\nb\n", "a\n\r\nb\n"), ("a", "a")]
)
def test_a_carriage_return_alone_ends_a_line(text: str, read: str) -> None:
    assert with_line_feeds(text) == read
