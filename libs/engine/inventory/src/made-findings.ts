import type { Cluster, KubeObject } from "@microremed/cluster";
import { isActing } from "./acting.ts";
import { holdsOf } from "./going.ts";
import { arenaKinds, ownObjects } from "./inventory.ts";
import { isVolatileAnnotation } from "./normalise.ts";
import { readBy } from "./read-by.ts";

/** What an object that something else made has, and its maker did not give it. */
export interface MadeFinding {
  readonly object: KubeObject;
  readonly detail: string;
  /** Name of the annotation, if it is one. */
  readonly note?: string;
}

/**
 * What objects that controllers made have of others: finalizers that nothing takes away and a second owner, which keep them
 * from going with their makers, and annotations that something may act on. They are in no comparison with what is declared.
 * The finalizers and annotations of pods are judged with the pods. `known`: names of annotations that controllers write;
 * undefined: not known, and none is judged.
 */
export function madeFindings(objects: readonly KubeObject[], known?: readonly string[]): MadeFinding[] {
  const makers = new Map(objects.map((object) => [object.metadata.uid, object]));
  return madeAmong(objects).flatMap((object): MadeFinding[] => {
    const holds = object.kind === "Pod" ? [] : holdsOf(object);
    const others = (object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
    const notes = known === undefined ? [] : strangeNotes(object, makers, known);
    return [
      ...holds.map((name) => ({ object, detail: `cannot go: it has the finalizer ${name}` })),
      ...others.map(({ kind, name }) => ({ object, detail: `has a second owner, ${kind}/${name}` })),
      ...notes.map((name) => ({ object, note: name, detail: `has the annotation ${name}` })),
    ];
  });
}

/** Those of a namespace that are in no comparison with what is declared. */
function madeAmong(objects: readonly KubeObject[]): KubeObject[] {
  const own = new Set(ownObjects(objects));
  return objects.filter((object) => !own.has(object));
}

const annotationNames = ({ metadata }: KubeObject): string[] => Object.keys(metadata.annotations ?? {});

/** Names of all annotations on objects that controllers made. */
export function annotationsOfMade(objects: readonly KubeObject[]): string[] {
  const made = madeAmong(objects).filter(({ kind }) => kind !== "Pod");
  return [...new Set(made.flatMap(annotationNames))];
}

/** A ReplicaSet has the annotations of its Deployment, and a rollback gives them back to it. */
function strangeNotes(
  object: KubeObject,
  makers: ReadonlyMap<string | undefined, KubeObject>,
  known: readonly string[],
): string[] {
  if (object.kind === "Pod" || isActing(object)) return [];
  const owners = (object.metadata.ownerReferences ?? []).flatMap(({ uid }) => makers.get(uid) ?? []);
  return annotationNames(object).filter(
    (name) =>
      readBy(name) !== "none" &&
      !isVolatileAnnotation(name) &&
      !ofEndpoints.test(name) &&
      !known.includes(name) &&
      !owners.some(({ metadata }) => metadata.annotations?.[name] === object.metadata.annotations?.[name]),
  );
}

/** The cluster writes them on Endpoints now and then. */
const ofEndpoints = /^endpoints\.kubernetes\.io\//;

/**
 * Objects of a namespace that controllers made and that others have changed, with the names of the annotations that they were
 * given. `known`: as for `madeFindings`.
 */
export async function readChangedMade(
  cluster: Pick<Cluster, "list">,
  namespace: string,
  known: readonly string[] | undefined,
): Promise<{ readonly object: KubeObject; readonly notes: readonly string[] }[]> {
  const lists = await Promise.all(arenaKinds.map((kind) => cluster.list(kind, { namespace })));
  const byObject = Map.groupBy(madeFindings(lists.flat(), known), ({ object }) => object);
  return [...byObject].map(([object, some]) => ({
    object,
    notes: some.flatMap(({ note }) => note ?? []),
  }));
}
