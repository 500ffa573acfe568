"""Search for forced wins by proof numbers, with public positions: another algorithm for a second opinion."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.tactics.slow_search import is_forcing
from zertz_db.rules.position import Position

INFINITY = 10**9


@dataclass
class Node:
    """A position with the plies left; an odd number has the attacker to move. proof, disproof: leaves to be proven at least."""

    position: Position
    plies: int
    proof: int = 1
    disproof: int = 1
    children: list[Node] = field(default_factory=list)

    @property
    def is_attacking(self) -> bool:
        return self.plies % 2 == 1

    def decide(self, is_won: bool) -> None:
        self.proof, self.disproof = (0, INFINITY) if is_won else (INFINITY, 0)

    def expand(self) -> None:
        attacker = self.position.side if self.is_attacking else 3 - self.position.side
        for move in self.position.each_move():
            child = Node(self.position.play(move), self.plies - 1)
            if child.position.is_over:
                child.decide(child.position.winner == attacker)
            elif self.is_attacking and (self.plies == 1 or not is_forcing(move, child.position)):
                continue
            self.children.append(child)

    def update(self) -> None:
        proofs = [child.proof for child in self.children]
        disproofs = [child.disproof for child in self.children]
        if self.is_attacking:
            self.proof, self.disproof = min(proofs, default=INFINITY), min(sum(disproofs), INFINITY)
        else:
            self.proof, self.disproof = min(sum(proofs), INFINITY), min(disproofs)


def proves_win(position: Position, plies: int, expansions: int) -> bool | None:
    """Return whether the player to move wins by force within an odd number of plies; None if the expansions do not suffice."""
    root = Node(position, plies)
    for _ in range(expansions):
        if not root.proof or not root.disproof:
            return not root.proof
        path = [root]
        while path[-1].children:
            node = path[-1]
            path.append(
                next(child for child in node.children if child.proof == node.proof)
                if node.is_attacking
                else next(child for child in node.children if child.disproof == node.disproof)
            )
        path[-1].expand()
        for node in reversed(path):
            node.update()
    return None if root.proof and root.disproof else not root.proof
