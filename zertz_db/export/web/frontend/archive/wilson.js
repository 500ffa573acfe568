// Shares with Wilson's interval of 95 % confidence (zertz_db/queries/wilson.py).
const Z = 1.959963984540054;
export const ENOUGH = 10; // the least number of games of a share

// { share, low, high } between 0 and 1, with four digits; empty for too few trials.
export function share(hits, trials) {
  if (trials < ENOUGH) return { share: null, low: null, high: null };
  const [part, weight] = [hits / trials, 1 + Z * Z / trials];
  const middle = (part + Z * Z / (2 * trials)) / weight;
  const half = (Z * Math.sqrt(part * (1 - part) / trials + Z * Z / (4 * trials * trials))) / weight;
  const round = (value) => Math.round(value * 1e4) / 1e4;
  return { share: round(part), low: round(Math.max(0, middle - half)), high: round(Math.min(1, middle + half)) };
}
