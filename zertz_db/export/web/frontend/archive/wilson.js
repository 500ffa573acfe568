// Shares with Wilson's interval of 95 % confidence (zertz_db/queries/wilson.py).
const Z = 1.959963984540054;
export const ENOUGH = 10; // the least number of games of a share

// { share, low, high } between 0 and 1, with four digits; empty for too few trials.
export function share(hits, trials) {
  if (trials < ENOUGH) return { share: null, low: null, high: null };
  const [part, weight] = [hits / trials, 1 + Z * Z / trials];
  const middle = (part + Z * Z / (2 * trials)) / weight;
  const half = (Z * Math.sqrt(part * (1 - part) / trials + Z * Z / (4 * trials * trials))) / weight;
  return { share: round(part), low: round(Math.max(0, middle - half)), high: round(Math.min(1, middle + half)) };
}

// Rounds to four digits as Python does: the exact value, and a half to the even digit.
function round(value) {
  const isHalf = /^\d\.\d{4}50*$/.test(value.toFixed(60));
  const digits = value.toFixed(4);
  return isHalf && Number(digits.at(-1)) % 2 ? Number((value - 0.00005).toFixed(4)) : Number(digits);
}
