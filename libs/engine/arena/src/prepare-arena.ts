import { renderManifests } from "@microremed/catalogue";
import { endRunAccess } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { manifestsDigest, readRecord } from "@microremed/inventory";
import { ensureProber } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { deployArena } from "./deploy.ts";
import { removeLoad } from "./load.ts";
import { claimNamespace } from "./namespace.ts";
import { applyQuota } from "./quota.ts";
import { resetArena } from "./reset.ts";

/** `timeoutSeconds` of cluster time until the environment must be healthy. */
export interface PrepareOptions {
  /** Start from nothing even if the arena is in order. */
  readonly redeploy: boolean;
  readonly timeoutSeconds: number;
}

/** Makes sure that the environment runs in the arena, healthy and as its manifests say. */
export async function prepareArena(
  arena: ArenaContext,
  options: PrepareOptions,
): Promise<{ deployed: boolean }> {
  const { cluster, signal } = arena;
  const timeoutMs = options.timeoutSeconds * 1000;
  await claimNamespace(arena);
  await applyQuota(arena);
  await endRunAccess(cluster, arena.namespace);
  await removeLoad(arena);
  const [, inOrder] = await Promise.all([
    ensureProber(cluster, signal),
    options.redeploy ? false : putInOrder(arena, timeoutMs / 2),
  ]);
  if (inOrder) return { deployed: false };
  await deployArena(arena, timeoutMs);
  return { deployed: true };
}

/** False: there is no record of this very environment, or the arena cannot be brought back to it. */
async function putInOrder(arena: ArenaContext, timeoutMs: number): Promise<boolean> {
  const { cluster, namespace, environment } = arena;
  const record = await readRecord(cluster, namespace);
  if (record?.manifests !== manifestsDigest(renderManifests(environment, { namespace }))) return false;
  return await tryReset(arena, () => resetArena(arena, record, timeoutMs));
}

/** Whether the arena could be brought back; errors of the cluster or the lease are thrown. */
export async function tryReset(arena: ArenaContext, reset: () => Promise<void>): Promise<boolean> {
  try {
    await reset();
    return true;
  } catch (error) {
    const code = error instanceof AppError ? error.code : "";
    if (!["restore-failed", "environment-unhealthy", "deadline-exceeded"].includes(code)) throw error;
    arena.log.warn({ namespace: arena.namespace, error: String(error) }, "redeploying");
    return false;
  }
}
