// Rule sets: the supply of marbles and the winning sets. Colours are in the order white, grey, black.
const RULE_SETS = {
  standard: { supply: [6, 8, 10], goal: [4, 5, 6], each: 3 },
  blitz: { supply: [5, 7, 9], goal: [3, 4, 5], each: 2 },
};
export const RULE_NAMES = Object.keys(RULE_SETS);

// The rule set of a text such as `standard` or `standard+tournament+written`.
export function parseRules(text) {
  const [name, ...options] = text.split("+");
  if (!RULE_SETS[name]) throw new Error(`no rule set is called ${name}; there are ${RULE_NAMES.join(" and ")}`);
  return { text, name, ...RULE_SETS[name], tournament: options.includes("tournament"), written: options.includes("written") };
}

// The names of the winning sets, in the order white, grey, black, each.
export function setNames({ goal, each }) { return [...goal.map((count, colour) => `${count}${"WGB"[colour]}`), `${each}each`]; }

// For each winning set, the number of marbles that a player with these captures still lacks.
export function missing({ goal, each }, captured) {
  const lacking = goal.map((count, colour) => Math.max(0, count - captured[colour]));
  return [...lacking, captured.reduce((sum, count) => sum + Math.max(0, each - count), 0)];
}
