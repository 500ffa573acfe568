"""The places of positions in the table of the solver."""

from zertz_db.tactics.transpositions import stir


def test_a_hash_has_31_bits_and_each_word_has_its_own() -> None:
    words = [*range(500), *(word << 40 for word in range(1, 500))]
    hashes = [stir(1, word) for word in words]
    assert all(0 <= hashed < 1 << 31 for hashed in hashes)
    assert len({*hashes}) == len(words)
    assert max(abs(sum(hashed >> bit & 1 for hashed in hashes) - 500) for bit in range(31)) < 100
