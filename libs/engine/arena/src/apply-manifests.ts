import { type Manifest, namespacedAmong } from "@microremed/catalogue";
import { type Condition, isRefused, type KubeObject, kinds } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import type { ArenaContext } from "./arena.ts";
import { whenQuotaAllows } from "./quota.ts";

/**
 * Applies manifests in their order. Custom resources wait until the cluster serves their definitions. Objects of the whole
 * cluster stay when the arena goes, for other arenas have the same; where the harness may not write them, they must be there.
 * Throws `cluster-refused` (terminal) that says what to apply.
 */
export async function applyManifests(
  arena: ArenaContext,
  manifests: readonly Manifest[],
  timeoutMs: number,
): Promise<void> {
  const isPlaced = namespacedAmong(manifests);
  const ofCluster = manifests.filter((one) => !isPlaced(one));
  for (const manifest of ofCluster) await applyToCluster(arena, manifest);
  await awaitServed(
    arena,
    ofCluster.filter(({ kind }) => kind === kinds.customResourceDefinition.kind),
    timeoutMs,
  );
  for (const manifest of manifests)
    if (isPlaced(manifest)) await whenQuotaAllows(arena, () => arena.cluster.apply(manifest));
}

async function applyToCluster({ cluster, environment }: ArenaContext, manifest: Manifest): Promise<void> {
  const { kind, apiVersion, metadata } = manifest;
  try {
    await cluster.apply(manifest);
  } catch (error) {
    if (!isRefused(error, 403)) throw error;
    const isThere = await cluster.get({ apiVersion, kind }, undefined, metadata.name).catch(() => undefined);
    if (isThere) return;
    throw terminal(
      "cluster-refused",
      `${environment.name} needs the ${kind} ${metadata.name}, which is of the whole cluster ${cluster.name}, where the harness may not write it; apply it as an administrator (microremed manifests ${environment.name}), and let the injector read it`,
    );
  }
}

async function awaitServed(
  { cluster, signal }: ArenaContext,
  definitions: readonly Manifest[],
  timeoutMs: number,
): Promise<void> {
  if (definitions.length === 0) return;
  const names = definitions.map(({ metadata }) => metadata.name);
  const what = `${names.join(", ")} to be served`;
  const kind = kinds.customResourceDefinition;
  await cluster.waitUntil({ what, timeoutMs, signal, kinds: [kind] }, (view) => {
    const served = view.list(kind).filter(isEstablished);
    return names.every((name) => served.some(({ metadata }) => metadata.name === name)) ? true : undefined;
  });
}

function isEstablished({ status }: KubeObject): boolean {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.some((one) => one.type === "Established" && one.status === "True");
}
