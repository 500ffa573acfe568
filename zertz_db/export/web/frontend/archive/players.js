// Players and their results, as zertz_db/queries/players has them.
import { share } from "./wilson.js";

// All players of the games that pass, most games first. Games of a player against himself count as games only.
export function listPlayers(archive, passes) {
  const tallies = archive.players.map(([name, kind]) => ({ name, kind, games: 0, wins: 0, ties: 0, losses: 0, first: null, last: null }));
  eachSeat(archive, passes, (player, opponent, score, game, side) => {
    if (side === 1 && opponent === player) return;
    const tally = tallies[player];
    add(tally, score);
    if (!archive.hasDay[game]) return;
    const day = archive.day[game];
    if (tally.first === null || day < tally.first) tally.first = day;
    if (tally.last === null || day > tally.last) tally.last = day;
  });
  return tallies.filter(({ games }) => games).map(rate)
    .sort((one, other) => other.games - one.games || compare(one.name.toLowerCase(), other.name.toLowerCase()));
}

const KEYS = {
  opponent: (archive, game, opponent) => archive.players[opponent]?.[0] ?? "unknown",
  side: (archive, game, opponent, side) => (side ? "moved second" : "moved first"),
  board: (archive, game) => archive.board(game).name,
  year: (archive, game) => archive.year[game],
};

// A player (by number) in the games that pass, divided by opponents, sides, boards or years.
export function dividePlayer(archive, player, by, passes) {
  const parts = new Map();
  eachSeat(archive, passes, (one, opponent, score, game, side) => {
    if (one !== player || opponent === player) return;
    const key = KEYS[by](archive, game, opponent, side);
    if (!parts.has(key)) parts.set(key, { key, games: 0, wins: 0, ties: 0, losses: 0 });
    add(parts.get(key), score);
  });
  const rows = [...parts.values()].map(rate);
  return rows.sort(by === "opponent" ? (one, other) => other.games - one.games || compare(one.key, other.key) : (one, other) => compare(one.key, other.key));
}

function eachSeat(archive, passes, visit) {
  for (let game = 0; game < archive.games; game++) {
    if (!passes(game)) continue;
    for (const side of [0, 1]) {
      const [player, opponent] = [archive.seats[side][game], archive.seats[1 - side][game]];
      if (player >= 0) visit(player, opponent, player === opponent ? null : archive.score(game, side), game, side);
    }
  }
}

function add(tally, score) {
  tally.games += 1;
  if (score !== null) tally[score === 1 ? "wins" : score === 0 ? "ties" : "losses"] += 1;
}

function rate(tally) { return { ...tally, ...share(tally.wins + tally.ties / 2, tally.wins + tally.ties + tally.losses) }; }

const compare = (one, other) => (one === null) - (other === null) || (one < other ? -1 : one > other ? 1 : 0);
