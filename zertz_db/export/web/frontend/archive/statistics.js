// Statistics of games, as zertz_db/queries/statistics has them.
import { share } from "./wilson.js";

const WIDTH = 5; // plies of a row of the histogram
const QUANTILES = { q10: 0.1, q25: 0.25, q50: 0.5, q75: 0.75, q90: 0.9 };
const GROUPS = {
  "": () => null,
  board: (archive, game) => archive.board(game).name,
  rules: (archive, game) => archive.rules(game),
  year: (archive, game) => archive.year[game],
};
export const GROUP_NAMES = Object.keys(GROUPS).filter(Boolean);
const compare = (one, other) => (one === null) - (other === null) || (one < other ? -1 : one > other ? 1 : 0);
const mean = (numbers) => (numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : null);

function divide(games, key) {
  const parts = new Map();
  for (const game of games) {
    const value = key(game);
    if (!parts.has(value)) parts.set(value, []);
    parts.get(value).push(game);
  }
  return [...parts.entries()].sort(([one], [other]) => compare(one, other));
}

const TABLES = {
  firstMover: (archive, games) => {
    const won = (winner) => games.filter((game) => archive.winner[game] === winner).length;
    const [first, second, ties, unknown] = [1, 2, 0, -1].map(won);
    return [{ games: games.length, first, second, ties, unknown, decided: first + second, ...share(first, first + second) }];
  },
  endings: (archive, games) => {
    const ended = games.filter((game) => archive.fact("ending", game) !== null);
    const rows = divide(games, (game) => archive.fact("ending", game)).map(([ending, some]) => ({
      ending, games: some.length, first: some.filter((game) => archive.winner[game] === 1).length,
      second: some.filter((game) => archive.winner[game] === 2).length, plies: mean(some.map((game) => archive.columns.plies[game])),
      ...(ending === null ? { share: null, low: null, high: null } : share(some.length, ended.length)),
    }));
    return rows.sort((one, other) => (one.ending === null) - (other.ending === null) || other.games - one.games || compare(one.ending, other.ending));
  },
  winningSets: (archive, games) => {
    const won = games.filter((game) => archive.fact("ending", game) === "set");
    const set = (game) => ((archive.fact("winning_sets", game) ?? "").includes("+") ? "several" : archive.fact("winning_sets", game));
    const by = (some, way) => some.filter((game) => archive.fact("won_by", game) === way).length;
    return divide(won, set).map(([name, some]) => ({
      set: name, games: some.length, jump: by(some, "jump"), claim: by(some, "claim"), plies: mean(some.map((game) => archive.columns.plies[game])),
      ...share(some.length, won.length),
    })).sort((one, other) => other.games - one.games || compare(one.set, other.set));
  },
  lengths: (archive, games) => {
    const plies = games.filter((game) => archive.fact("ending", game) !== null).map((game) => archive.columns.plies[game]).sort((one, other) => one - other);
    const quantile = (part) => plies[Math.max(0, Math.ceil(part * plies.length) - 1)] ?? null;
    return [{
      games: plies.length, unfinished: games.length - plies.length, mean: mean(plies), shortest: plies[0] ?? null,
      ...Object.fromEntries(Object.entries(QUANTILES).map(([name, part]) => [name, quantile(part)])), longest: plies.at(-1) ?? null,
    }];
  },
  histogram: (archive, games) => {
    const ended = games.filter((game) => archive.fact("ending", game) !== null);
    return divide(ended, (game) => Math.floor(archive.columns.plies[game] / WIDTH) * WIDTH)
      .map(([from, some]) => ({ plies: `${from}-${from + WIDTH - 1}`, games: some.length, ...share(some.length, ended.length) }));
  },
};
export const TABLE_NAMES = Object.keys(TABLES);

// The rows of a table for the games that pass, divided by a group of GROUP_NAMES (or "" for all together).
export function summarise(archive, table, by, passes) {
  const games = [];
  for (let game = 0; game < archive.games; game++) if (passes(game)) games.push(game);
  const rows = (group, some) => TABLES[table](archive, some).map((row) => (by ? { [by]: group, ...row } : row));
  if (!by) return rows(null, games);
  return divide(games, (game) => GROUPS[by](archive, game)).flatMap(([group, some]) => rows(group, some));
}
