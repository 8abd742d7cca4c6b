import { type Cluster, harnessNamespace, kinds, labelsOf } from "@microremed/cluster";

/** Where a note is about: an arena, and what of it is noted. */
interface Where {
  readonly cluster: Cluster;
  readonly namespace: string;
}

const metadataOf = (arena: string, about: string) => ({
  name: `${about}-${arena}`,
  namespace: harnessNamespace,
  labels: labelsOf(arena),
});

/**
 * Notes for an arena what must be undone even if this process ends now. It is kept in the cluster, where no agent sees it, until
 * `removeArenaNote` or the arena's end. `about`: words with hyphens, one note for each. Throws if there is one already.
 */
export async function writeArenaNote(
  { cluster, namespace }: Where,
  about: string,
  text: string,
): Promise<void> {
  const metadata = metadataOf(namespace, about);
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { text } });
}

/** The text of a note; undefined: there is none. */
export async function readArenaNote(
  { cluster, namespace }: Where,
  about: string,
): Promise<string | undefined> {
  const note = await cluster.get(kinds.configMap, harnessNamespace, metadataOf(namespace, about).name);
  return note && ((Reflect.get(note, "data") ?? {}) as { text?: string }).text;
}

/** Takes back what `writeArenaNote` noted. A note that is not there is no error. */
export async function removeArenaNote({ cluster, namespace }: Where, about: string): Promise<void> {
  await cluster.delete(kinds.configMap, harnessNamespace, metadataOf(namespace, about).name);
}
