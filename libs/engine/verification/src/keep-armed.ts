import { customKinds } from "@microremed/catalogue";
import { actingRearmed, readArena } from "@microremed/inventory";
import type { Evidence } from "./evidence.ts";
import { hideTraces } from "./hide-traces.ts";
import type { ProvenPart } from "./incident-part.ts";
import { type KeptMark, withTerm } from "./kept-mark.ts";
import { proveInjection } from "./prove-injection.ts";
import { isRightActionTaken, rightActionsIn } from "./right-actions.ts";

/** Cluster time, s, for a fault that is put back to show again. */
const showSeconds = 60;

export type KeepArmed = (instances: string) => Promise<boolean>;

/**
 * For `persistence: rearm`, asked whenever everything is in order: puts the fault on the workload's pods again, unless
 * a right action was taken; true: it was put back, so nothing is in order any more. Who has been put under it once and
 * is in order all the same has really been repaired. It needs no watch and no memory of its own: the verification that
 * asks is a durable command, and all its state is in the cluster.
 */
export function createKeepArmed(
  part: ProvenPart,
  persistence: Evidence["persistence"],
  kept: KeptMark,
  assertHeld: () => Promise<void>,
): KeepArmed {
  const {
    context,
    judged: { fault },
    injection,
  } = part;
  let armed: string | undefined;
  return async (instances) => {
    if (persistence !== "rearm" || instances === armed) return false;
    if (rightActionsIn(fault, context, injection).length === 0) return false;
    if (await isRightActionTaken(context, fault, injection)) return false;
    await rearm(part, kept, assertHeld);
    armed = instances;
    return true;
  };
}

/** Puts the fault back and notes its new cause. Where it was interrupted, it is begun again. */
export async function rearm(
  { context, judged, number, baseline }: Omit<ProvenPart, "injection">,
  kept: KeptMark,
  assertHeld: () => Promise<void>,
): Promise<void> {
  const { cluster, namespace, environment } = context;
  await assertHeld();
  await kept.change({ isRearming: true });
  const injectedAt = await cluster.clock.now();
  await judged.fault.inject(context);
  await proveInjection(context, judged, baseline, showSeconds);
  const [{ expiresAt }, arena] = await Promise.all([
    judged.fault.status(context),
    readArena(cluster, namespace, customKinds(environment)),
  ]);
  const acting = actingRearmed(kept.mark, arena);
  const term = withTerm(kept, number, { injectedAt, expiresAt, isOver: false });
  await kept.change({ acting, ...term, isRearming: false });
  if (context.concealment === "neutral") await hideTraces(cluster, namespace);
}
