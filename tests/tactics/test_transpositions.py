"""The places of positions in the table of the solver."""

from zertz_db.rules.position import Position
from zertz_db.tactics.compiled_search import open_search
from zertz_db.tactics.transpositions import find_facts, stir, store_fact


def test_a_hash_has_31_bits_and_each_word_has_its_own() -> None:
    words = [*range(500), *(word << 40 for word in range(1, 500))]
    hashes = [stir(1, word) for word in words]
    assert all(0 <= hashed < 1 << 31 for hashed in hashes)
    assert len({*hashes}) == len(words)
    assert max(abs(sum(hashed >> bit & 1 for hashed in hashes) - 500) for bit in range(31)) < 100


def test_what_is_known_of_a_position_is_found_again() -> None:
    position = Position.start("37")
    work = open_search(position.board, position.rules, 3, 100, interpreted=True).work
    one, other = [*position.state], [*position.play("Wd4,d1").state]
    assert find_facts(work, one) == 0
    for remaining, is_won in ((5, True), (3, True), (1, False)):
        store_fact(work, one, remaining, is_won)
    assert divmod(find_facts(work, one), 64) == (3, 1)
    assert find_facts(work, other) == 0
