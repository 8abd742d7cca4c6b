import type { Cluster, KubeObject } from "@microremed/cluster";
import { holdsOf } from "./going.ts";
import { arenaKinds, ownObjects } from "./inventory.ts";

/** What an object that something else made has, and its maker did not give it. */
export interface MadeFinding {
  readonly object: KubeObject;
  readonly detail: string;
}

/**
 * What keeps objects that controllers made from going with their makers: finalizers that nothing takes away, and a second
 * owner. They are in no comparison with what is declared. The finalizers of pods are judged with the pods.
 */
export function madeFindings(objects: readonly KubeObject[]): MadeFinding[] {
  const own = new Set(ownObjects(objects));
  return objects
    .filter((object) => !own.has(object))
    .flatMap((object): MadeFinding[] => {
      const holds = object.kind === "Pod" ? [] : holdsOf(object);
      const others = (object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
      return [
        ...holds.map((name) => ({ object, detail: `cannot go: it has the finalizer ${name}` })),
        ...others.map(({ kind, name }) => ({ object, detail: `has a second owner, ${kind}/${name}` })),
      ];
    });
}

/** Objects of a namespace that would not go with what made them. */
export async function readMadeToStay(
  cluster: Pick<Cluster, "list">,
  namespace: string,
): Promise<KubeObject[]> {
  const lists = await Promise.all(arenaKinds.map((kind) => cluster.list(kind, { namespace })));
  return [...new Set(madeFindings(lists.flat()).map(({ object }) => object))];
}
