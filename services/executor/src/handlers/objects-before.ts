import { type Cluster, type KubeObject, putBackKinds } from "@microremed/cluster";
import { mostObjectsBefore, type ObjectBefore } from "@microremed/contracts";
import { deepFrozen, oncePerFrozen } from "@microremed/core";

/** Characters that all objects of one action may have together. */
const maxCharacters = 128 * 1024;

/** The objects of an arena by `<kind>/<name>`, without what the cluster itself writes. */
export type Writable = ReadonlyMap<string, KubeObject>;

export async function readWritable(cluster: Pick<Cluster, "list">, namespace: string): Promise<Writable> {
  const lists = await Promise.all(
    putBackKinds.map(async (kind) => (await cluster.list(kind, { namespace })).map(asWritten)),
  );
  return new Map(lists.flat().map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}

/** What its writers say of an object. An embedded cluster gives the same frozen objects until they change. */
const asWritten = oncePerFrozen((object: KubeObject): KubeObject => {
  const { status: _status, metadata, ...rest } = object;
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const kept = { name, namespace, labels, annotations, finalizers, ownerReferences };
  return deepFrozen(JSON.parse(JSON.stringify({ ...rest, metadata: kept })));
});

/** What has changed between two readings, each object as it was at the first one. */
export function changedSince(before: Writable, after: Writable): ObjectBefore[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = names.filter((name) => purposeOf(before.get(name)) !== purposeOf(after.get(name)));
  let left = maxCharacters;
  return changed.slice(0, mostObjectsBefore).flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const { apiVersion = "", kind = "", metadata } = was ?? is ?? { metadata: { name } };
    left -= JSON.stringify(was ?? null).length;
    const place = { apiVersion, kind, name: metadata.name };
    return [left < 0 ? place : { ...place, before: was ?? null }];
  });
}

/** What a Deployment's controller counts is no change of the agent's. */
const counted = "deployment.kubernetes.io/revision";

const purposeOf = (object: KubeObject | undefined): string => (object ? textOf(object) : "");

const textOf = oncePerFrozen((object: KubeObject): string => {
  const { [counted]: _revision, ...annotations } = object.metadata.annotations ?? {};
  return JSON.stringify({ ...object, metadata: { ...object.metadata, annotations } });
});
