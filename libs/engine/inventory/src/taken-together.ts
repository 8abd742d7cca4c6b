import { type KubeObject, parseQuantity, type Workload } from "@microremed/cluster";
import { mostTimes } from "./field-rules.ts";

/**
 * Whether all replicas of a workload together take no more than twice of what is declared: twice the replicas and twice the
 * limits of each are four times as much. Both normalised; true for what makes no pods.
 */
export function isWithinBounds(recorded: KubeObject, live: KubeObject): boolean {
  const [before, now] = [takenBy(recorded), takenBy(live)];
  return [...now].every(([name, amount]) => {
    const was = before.get(name);
    return was === undefined || was === 0 || amount <= was * mostTimes;
  });
}

/** `limits cpu` of a container -> what all replicas may take of it. */
function takenBy(object: KubeObject): ReadonlyMap<string, number> {
  const { replicas = 1, template } = (object as Workload).spec ?? {};
  return new Map(
    (template?.spec?.containers ?? []).flatMap(({ name, resources }) =>
      (["limits", "requests"] as const).flatMap((what) =>
        Object.entries(resources?.[what] ?? {}).map(([of, quantity]): [string, number] => [
          `${name} ${what} ${of}`,
          (parseQuantity(quantity) ?? 0) * Math.max(Number(replicas), 1),
        ]),
      ),
    ),
  );
}
