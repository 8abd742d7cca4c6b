import { renderManifests } from "@microremed/catalogue";
import { dropRecord, manifestsDigest, normalise, readInventory, writeRecord } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";
import { readConcealed } from "./concealed.ts";
import { awaitNoPods, deleteObjects } from "./delete-objects.ts";
import { freeMadeObjects } from "./end-pods.ts";
import { awaitHealthy } from "./health.ts";
import { whenQuotaAllows } from "./quota.ts";

/** Clears the namespace, deploys the environment, sees it healthy and records what it looks like. */
export async function deployArena(arena: ArenaContext, timeoutMs: number): Promise<void> {
  const { cluster, namespace, environment } = arena;
  await arena.assertLease();
  // Whatever happens from here on, the old record describes nothing any more.
  await dropRecord(cluster, namespace);
  await deleteObjects(arena, await readConcealed(arena));
  await freeMadeObjects(arena);
  await deleteObjects(arena, await readInventory(cluster, namespace));
  await awaitNoPods(arena, timeoutMs);
  const manifests = renderManifests(environment, { namespace });
  for (const manifest of manifests) await whenQuotaAllows(arena, () => cluster.apply(manifest));
  await awaitHealthy(arena, timeoutMs);
  const objects = (await readInventory(cluster, namespace)).map(normalise);
  await writeRecord(cluster, namespace, { manifests: manifestsDigest(manifests), objects });
}
