// Which games count: a filter { player, versus, board, rules, result, ending, from, to } as a function of a game's number.
const TESTS = {
  board: (archive, board) => (game) => archive.board(game).name === board,
  rules: (archive, rules) => (game) => archive.rules(game) === rules,
  result: (archive, result) => (game) => archive.fact("result", game) === result,
  ending: (archive, ending) => (game) => archive.fact("ending", game) === ending,
  from: (archive, year) => (game) => archive.year[game] !== null && archive.year[game] >= Number(year),
  to: (archive, year) => (game) => archive.year[game] !== null && archive.year[game] <= Number(year),
  player: (archive, name) => playedBy(archive, name),
};

export function makeFilter(archive, { versus, ...filter } = {}) {
  const tests = Object.entries(filter).filter(([key, value]) => TESTS[key] && value).map(([key, value]) => TESTS[key](archive, value));
  if (versus) tests.push(filter.player ? metIn(archive, filter.player, versus) : playedBy(archive, versus));
  if (!tests.length) return () => true;
  return (game) => tests.every((test) => test(game));
}

function playedBy(archive, name) {
  const players = findPlayers(archive, name);
  return (game) => players.has(archive.seats[0][game]) || players.has(archive.seats[1][game]);
}

// Both played in one game, on different sides.
function metIn(archive, name, other) {
  const [some, others] = [findPlayers(archive, name), findPlayers(archive, other)];
  const [first, second] = archive.seats;
  return (game) => (some.has(first[game]) && others.has(second[game])) || (some.has(second[game]) && others.has(first[game]));
}

// The players with a name, by any of their names; where nobody has it, those with a name that contains it.
export function findPlayers(archive, name) {
  const wanted = name.trim().toLowerCase();
  const numbers = (fits) => new Set(archive.names.flatMap((one, number) => (fits(one.toLowerCase()) ? [archive.playerOfName[number]] : [])).filter((one) => one >= 0));
  const main = archive.players.findIndex(([one]) => one === name);
  if (main >= 0) return new Set([main]);
  const exact = numbers((one) => one === wanted);
  return exact.size ? exact : numbers((one) => one.includes(wanted));
}
