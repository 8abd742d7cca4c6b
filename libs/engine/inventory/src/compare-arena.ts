import { type Change, type DamageClass, damageClasses } from "@microremed/contracts";
import { actingChanges } from "./comparison/acting-changes.ts";
import { dataChanges } from "./comparison/data-changes.ts";
import { disturbedChanges } from "./comparison/disturbed-changes.ts";
import { jobChanges } from "./comparison/job-changes.ts";
import { keptChanges } from "./comparison/kept-changes.ts";
import { objectChanges } from "./comparison/object-changes.ts";
import { podChanges } from "./comparison/pod-changes.ts";
import { undoneChanges } from "./comparison/undone-changes.ts";
import { differenceOf } from "./difference.ts";
import type { Expected } from "./expected.ts";
import { ownObjects } from "./inventory.ts";
import type { ArenaObjects } from "./read-arena.ts";

const mostChanges = 100;
const order = Object.keys(damageClasses) as DamageClass[];

/**
 * Every difference between an arena and what it is to be, with what it means for the verdicts, the worst first: 100 at
 * most.
 */
export function compareArena(expected: Expected, arena: ArenaObjects): Change[] {
  const difference = differenceOf(expected.record, ownObjects(arena.objects));
  const changes = [
    ...actingChanges(expected, arena, difference),
    ...objectChanges(expected, arena, difference),
    ...undoneChanges(expected),
    ...disturbedChanges(expected, arena),
    ...keptChanges(expected, arena),
    ...jobChanges(expected, arena),
    ...podChanges(expected, arena),
    ...dataChanges(expected, arena),
  ];
  const rank = ({ class: of }: Change): number => order.indexOf(of ?? "acts");
  return changes.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostChanges);
}
