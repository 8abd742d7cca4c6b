import { defaultTask } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Compared } from "@microremed/scoring";

/** A group of a report, with the name of its run within a directory; empty: there is one run. */
export interface ComparedRun extends Compared {
  readonly run: string;
}

/**
 * One of each: these two. Several: those of the same run, model, method and task, and where the runs are called otherwise,
 * of the same environment or problems. If each side has one model with one method, those do not count. Each is in one pair
 * at most. Throws `invalid-request` where nothing is paired.
 */
export function pairUp(
  left: readonly ComparedRun[],
  right: readonly ComparedRun[],
): [ComparedRun, ComparedRun][] {
  const [a, b] = [left[0], right[0]];
  if (a && b && left.length === 1 && right.length === 1) return [[a, b]];
  const isSingle = [left, right].every((side) => new Set(side.map(agentOf)).size === 1);
  const what = ({ group }: ComparedRun): string => (isSingle ? group.task : labelOf(group));
  const free = new Set(right);
  const take = (one: ComparedRun, key: (of: ComparedRun) => string): ComparedRun | undefined => {
    const same = [...free].find((other) => key(other) === key(one) && what(other) === what(one));
    if (same) free.delete(same);
    return same;
  };
  const pairs = new Map<ComparedRun, ComparedRun>();
  for (const key of [({ run }: ComparedRun) => run, subjectIn])
    for (const one of left.filter((each) => !pairs.has(each))) {
      const same = take(one, key);
      if (same) pairs.set(one, same);
    }
  if (pairs.size > 0)
    return left.flatMap((one): [ComparedRun, ComparedRun][] => {
      const other = pairs.get(one);
      return other ? [[one, other]] : [];
    });
  const known = (side: readonly ComparedRun[]) =>
    [...new Set(side.map(({ group }) => labelOf(group)))].join(", ");
  throw terminal(
    "invalid-request",
    `the two sides have no model and method in common; select one of each with #model#method: A has ${known(left)}, B has ${known(right)}`,
  );
}

/** How a group is selected: `#model#method`, and `#task` unless it is the usual one. */
export function labelOf({ model, method, task }: Compared["group"]): string {
  return `#${model}#${method}${task === defaultTask ? "" : `#${task}`}`;
}

const agentOf = ({ group: { model, method } }: ComparedRun): string => `${model} ${method}`;

const subjectIn = ({ report: { request } }: ComparedRun): string =>
  JSON.stringify([request.environment, request.problems, request.failures, request.seed]);
