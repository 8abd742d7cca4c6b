import { customKinds } from "@microremed/catalogue";
import { endRunAccess } from "@microremed/cluster";
import type { Baseline, Concealment, Damage, PlannedNoise } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import {
  differenceOf,
  isEmpty,
  isOfStore,
  isOfVolume,
  readInventory,
  readRecord,
} from "@microremed/inventory";
import { awaitBaseline, firstPart, furtherParts, type Incident } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { deployArena } from "./deploy.ts";
import { dropFormerRevisions, forgetRevisions } from "./forget-revisions.ts";
import { atUsualLoad, removeLoad } from "./load.ts";
import { measureDamage } from "./measure-damage.ts";
import { claimNamespace, letGo, noteUse } from "./namespace.ts";
import { removeStray } from "./place-noise.ts";
import { goBack, tryReset } from "./prepare-arena.ts";
import { resetArena } from "./reset.ts";

/**
 * The faults to remove. `timeoutSeconds` of cluster time for a redeployment; putting the objects back gets half of it.
 */
export interface RestoreOptions extends Incident {
  readonly concealment?: Concealment | undefined;
  /** Those that were placed. */
  readonly noise?: readonly PlannedNoise[] | undefined;
  /** What was measured before the injection. */
  readonly baseline?: Baseline | undefined;
  /** The same for the incident's other faults, in their order. */
  readonly furtherBaselines?: readonly Baseline[] | undefined;
  readonly timeoutSeconds: number;
}

/**
 * Removes the failure and brings the arena back to its baseline, proven by comparing its objects with the record and
 * by measuring the target again; where that fails, redeploys it.
 */
export async function restoreArena(
  arena: ArenaContext,
  options: RestoreOptions,
): Promise<{ how: "reset" | "redeployed"; damage: Damage | null }> {
  const { cluster, namespace } = arena;
  const timeoutMs = options.timeoutSeconds * 1000;
  await arena.assertLease();
  await noteUse(arena);
  await endRunAccess(cluster, namespace);
  const record = await readRecord(cluster, namespace);
  const damage = await measureDamage(arena, record, options);
  // An injector that does not know the fault has not injected it. What is there is cleared and deployed again. (Another one
  // that proved it left a mark, for which `measureDamage` needs the fault and throws.)
  if (await goBack(arena)) {
    await claimNamespace(arena);
    if (await isAsDeployed(arena)) {
      await letGo(arena);
      return { how: "reset", damage };
    }
  }
  const { further = [], noise = [] } = options;
  const isKnown =
    [options, ...further].every(({ failure }) => arena.catalogue.faults.has(failure)) &&
    noise.every((one) => arena.catalogue.noises.has(one.noise));
  if (isKnown) await removeStray(arena, noise);
  await removeLoad(arena);
  const isReset =
    isKnown &&
    !damage?.changes.some((one) => isOfVolume(one) || (isOfStore(one) && one.class !== "unrepaired")) &&
    record !== undefined &&
    (await tryReset(arena, async () => {
      const place = { ...arena, concealment: options.concealment ?? ("none" as const) };
      const first = firstPart(place, options, arena.catalogue);
      const others = furtherParts(place, options, arena.catalogue);
      for (const part of [first, ...others].toReversed()) await part.judged.fault.remove(part.context);
      await forgetRevisions(arena, damage);
      await resetArena(arena, record, timeoutMs / 2, changedPods(damage));
      await dropFormerRevisions(arena);
      if (options.baseline) await awaitBaseline(first.context, first.judged, atUsualLoad(options.baseline));
      for (const [i, part] of others.entries()) {
        const baseline = options.furtherBaselines?.[i];
        if (baseline) await awaitBaseline(part.context, part.judged, atUsualLoad(baseline));
      }
    }));
  if (isReset) {
    await letGo(arena);
    return { how: "reset", damage };
  }
  try {
    await deployArena(arena, timeoutMs);
  } catch (error) {
    const cause = AppError.from(error);
    if (cause.severity === "retryable" || cause.code === "stale-lease") throw cause;
    throw terminal(
      "restore-failed",
      `namespace ${namespace} of cluster ${cluster.name}: ${cause.message}`,
      {},
      cause,
    );
  }
  await letGo(arena);
  return { how: "redeployed", damage };
}

async function isAsDeployed({ cluster, namespace, environment }: ArenaContext): Promise<boolean> {
  const record = await readRecord(cluster, namespace);
  if (!record) return false;
  const inventory = await readInventory(cluster, namespace, customKinds(environment));
  return isEmpty(differenceOf(record.objects, inventory));
}

/**
 * Names of the pods that a remedy has changed, even where a right repair may: what it wrote on them outlasts everything but
 * themselves, and the next fault may select by it.
 */
const changedPods = (damage: Damage | null): ReadonlySet<string> =>
  new Set(
    (damage?.changes ?? []).flatMap(({ object }) => {
      const [kind, name = ""] = object.split("/");
      return kind === "Pod" ? [name] : [];
    }),
  );
