// The start that an address names: a position string, or an empty board.
import { parsePosition } from "../rules/notation.js";
import { Position } from "../rules/position.js";
import { parseRules } from "../rules/rule_sets.js";

export function readStart({ position, board, rules }, site) {
  return position ? parsePosition(position, site.all) : Position.start(site.all.standard(board || "37"), parseRules(rules || "standard"));
}
