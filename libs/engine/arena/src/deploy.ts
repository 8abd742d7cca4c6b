import { customKinds, renderManifests } from "@microremed/catalogue";
import { dropRecord, manifestsDigest, normalise, readInventory, writeRecord } from "@microremed/inventory";
import { applyManifests } from "./apply-manifests.ts";
import type { ArenaContext } from "./arena.ts";
import { readConcealed } from "./concealed.ts";
import { awaitNoPods, deleteObjects } from "./delete-objects.ts";
import { freeMadeObjects } from "./end-pods.ts";
import { forgetPast, managersOf } from "./forget-past.ts";
import { awaitHealthy } from "./health.ts";

/** Clears the namespace, deploys the environment, sees it healthy and records what it looks like. */
export async function deployArena(arena: ArenaContext, timeoutMs: number): Promise<void> {
  const { cluster, namespace, environment } = arena;
  await arena.assertLease();
  // Whatever happens from here on, the old record describes nothing any more.
  await dropRecord(cluster, namespace);
  await deleteObjects(arena, await readConcealed(arena));
  await freeMadeObjects(arena);
  const custom = customKinds(environment);
  await deleteObjects(arena, await readInventory(cluster, namespace, custom));
  await awaitNoPods(arena, timeoutMs);
  const manifests = renderManifests(environment, { namespace });
  await applyManifests(arena, manifests, timeoutMs);
  await awaitHealthy(arena, timeoutMs);
  const deployed = await readInventory(cluster, namespace, custom);
  const managers = managersOf(deployed);
  const objects = deployed.map(normalise);
  await writeRecord(cluster, namespace, { manifests: manifestsDigest(manifests), objects, managers });
  await forgetPast(arena, { managers });
}
