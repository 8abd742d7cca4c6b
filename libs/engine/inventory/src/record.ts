import { createHash, randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Manifest } from "@microremed/catalogue";
import { type Cluster, harnessNamespace, type KubeObject, kinds, labelsOf } from "@microremed/cluster";
import { deepFrozen, oncePerFrozen } from "@microremed/core";
import type { KnownStores } from "./stores/store-changes.ts";

/** What an arena looked like when it was deployed: the baseline to which it is restored. */
export interface ArenaRecord {
  /** Of the manifests it was deployed from: other manifests, other arena. */
  readonly manifests: string;
  /** Normalised, in the order of creation. */
  readonly objects: readonly KubeObject[];
  /** Of each object by its identity the entries of managedFields that are not about its status; absent: not known. */
  readonly managers?: Readonly<Record<string, readonly unknown[]>>;
  /** What belongs to the system for the faults of the episode that has the arena now; absent: nothing. */
  readonly setting?: Recorded;
  /** What programs of that setting delete and write again, normalised, as they write it; absent: nothing. */
  readonly rewritten?: readonly KubeObject[];
  /** Objects of that setting, normalised, as they may be, too; absent: each is right in one way. */
  readonly alternatives?: readonly KubeObject[];
  /** What servers of datastores rightly have in force since such a fault came, by workload and container; absent: nothing else. */
  readonly renewed?: KnownStores["states"];
  /** The harmless oddities of that episode; absent: none. */
  readonly noise?: Recorded;
}

/** What settings of faults, or noises, have made of an arena. */
export interface Recorded {
  /** Normalised: objects that are there beside those of the record, or in place of them. */
  readonly objects: readonly KubeObject[];
  /** uids of the revisions that workloads had before. */
  readonly revisions: readonly string[];
}

/** A digest of the manifests that an arena is deployed from. */
export function manifestsDigest(manifests: readonly Manifest[]): string {
  return createHash("sha256").update(JSON.stringify(manifests)).digest("hex");
}

const nameOf = (namespace: string): string => `arena-${namespace}`;

/** Another value with each write, so that each takes a revision of the cluster. */
const written = (): Record<string, string> => ({ "microremed.io/written": randomUUID() });

/** The record is kept in the cluster itself, out of the agents' reach: it lives and dies with what it describes. */
export async function writeRecord(cluster: Cluster, namespace: string, record: ArenaRecord): Promise<void> {
  await cluster.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: nameOf(namespace),
      namespace: harnessNamespace,
      labels: labelsOf(namespace),
      annotations: written(),
    },
    data: { record: gzipSync(JSON.stringify(record)).toString("base64") },
  });
}

/** Undefined when there is none, or none that can be read: the arena is redeployed then. */
export async function readRecord(cluster: Cluster, namespace: string): Promise<ArenaRecord | undefined> {
  const secret = await cluster.get(kinds.secret, harnessNamespace, nameOf(namespace));
  return secret && recordIn(secret);
}

const recordIn = oncePerFrozen((secret: KubeObject): ArenaRecord | undefined => {
  const data = secret["data"] as { record?: string } | undefined;
  if (data?.record === undefined) return undefined;
  try {
    return deepFrozen(JSON.parse(gunzipSync(Buffer.from(data.record, "base64")).toString("utf8")));
  } catch {
    return undefined;
  }
});

/**
 * Writes the record of an arena, if there is one, as it is. Agents can read the revisions of objects, which count all writes to the
 * cluster: this follows each change of the harness that needs no note, so that it is like one with a note.
 */
export async function rewriteRecord(cluster: Cluster, namespace: string): Promise<void> {
  if (!(await cluster.get(kinds.secret, harnessNamespace, nameOf(namespace)))) return;
  const body = { metadata: { annotations: written() } };
  await cluster.patch(kinds.secret, harnessNamespace, nameOf(namespace), { type: "merge", body });
}

/** Deletes the record of an arena, which is then deployed again before its next episode. */
export async function dropRecord(cluster: Cluster, namespace: string): Promise<void> {
  await cluster.delete(kinds.secret, harnessNamespace, nameOf(namespace));
}
