import {
  callDistance,
  identityOf,
  type ObjectRef,
  type Whereabouts,
  workloadsAbout,
} from "@microremed/catalogue";

/** How well a ranked list of objects agrees with a set of right ones; each from 0 to 1. */
export type Agreement = Readonly<
  Record<"precision" | "recall" | "f1" | "exact" | "top1" | "top3" | "top5" | "distance", number>
>;

/** An object, and what is asked of it again and again. */
interface Known {
  readonly id: string;
  readonly workloads: readonly string[];
}

/**
 * Compares what was named with what is right, each object once, at its first place:
 * - precision, recall, f1: of the two as sets; exact: 1 if they are equal.
 * - topK: right objects among the first K, of as many as could be there.
 * - distance: every right object is paired with at most one that was named. A pair is worth 1 if both are the same, else
 *   1 / (2 + calls between the workloads that the two are about). Divided by the length of the longer list.
 *
 * Nothing named where nothing is wrong is right in all of them; where only one of the two is nothing, all are 0.
 */
export function compareObjects(
  named: readonly ObjectRef[],
  right: readonly ObjectRef[],
  where: Whereabouts,
): Agreement {
  const known = (objects: readonly ObjectRef[]): Known[] => {
    const all = objects.map((object) => ({
      id: identityOf(object, where, right),
      workloads: workloadsOf(object, where, right),
    }));
    return [...new Map(all.toReversed().map((one) => [one.id, one])).values()].reverse();
  };
  const [answered, wanted] = [known(named), known(right)];
  const ids = new Set(wanted.map(({ id }) => id));
  const hitsIn = (first: readonly Known[]): number => first.filter(({ id }) => ids.has(id)).length;
  const share = (part: number, whole: number): number =>
    whole === 0 ? Number(wanted.length === 0 && answered.length === 0) : part / whole;

  const hits = hitsIn(answered);
  const top = (k: number): number => share(hitsIn(answered.slice(0, k)), Math.min(k, wanted.length));
  return {
    precision: share(hits, answered.length),
    recall: share(hits, wanted.length),
    f1: share(2 * hits, answered.length + wanted.length),
    exact: Number(hits === answered.length && hits === wanted.length),
    top1: top(1),
    top3: top(3),
    top5: top(5),
    distance: share(pairedCloseness(answered, wanted, where), Math.max(answered.length, wanted.length)),
  };
}

/** A pod is about its workload, as in `identityOf`. */
function workloadsOf(object: ObjectRef, where: Whereabouts, others: readonly ObjectRef[]): readonly string[] {
  const [kind = "", place = ""] = identityOf(object, where, others).split(" ");
  const [namespace, name = ""] = place.split("/");
  return namespace === where.namespace ? workloadsAbout(where.environment, { kind, name }) : [];
}

/** The sum over pairs, the closest first. */
function pairedCloseness(
  answered: readonly Known[],
  wanted: readonly Known[],
  { environment }: Whereabouts,
): number {
  const pairs = answered
    .flatMap((a) => wanted.map((b) => ({ a, b, worth: closeness(a, b, environment) })))
    .sort((one, other) => other.worth - one.worth);
  const taken = new Set<Known>();
  let sum = 0;
  for (const { a, b, worth } of pairs) {
    if (taken.has(a) || taken.has(b)) continue;
    taken.add(a).add(b);
    sum += worth;
  }
  return sum;
}

function closeness(a: Known, b: Known, environment: Whereabouts["environment"]): number {
  if (a.id === b.id) return 1;
  const calls = callDistance(environment, a.workloads, b.workloads);
  return calls === undefined ? 0 : 1 / (2 + calls);
}
