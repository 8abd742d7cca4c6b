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
  /** Of what is random from now on, where the cluster can draw that again. Default: empty. */
  readonly seed?: string | undefined;
}

/**
 * Makes sure that the environment runs in the arena, healthy and as its manifests say. A cluster that can go back goes back to
 * when it was deployed, so that nothing of the episodes before is left, and what an episode meets depends on its seed alone.
 */
export async function prepareArena(
  arena: ArenaContext,
  options: PrepareOptions,
): Promise<{ deployed: boolean }> {
  const { cluster, signal } = arena;
  const timeoutMs = options.timeoutSeconds * 1000;
  if (!options.redeploy) await goBack(arena, options.seed);
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
  if (cluster.moments) {
    await cluster.moments.save(momentOf(arena));
    await goBack(arena, options.seed);
    await claimNamespace(arena);
  }
  return { deployed: true };
}

/** What the cluster was like when the arena was deployed last. */
const momentOf = ({ namespace }: ArenaContext): string => `deployed-${namespace}`;

/** False: the cluster does not go back, or the arena was never deployed there. */
export async function goBack(arena: ArenaContext, seed = ""): Promise<boolean> {
  return (await arena.cluster.moments?.goBack(momentOf(arena), seed)) ?? false;
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
