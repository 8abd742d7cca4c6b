import type { Round } from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import type { IncidentPart } from "./incident-part.ts";
import { type KeptMark, termOf, withTerm } from "./kept-mark.ts";

/**
 * Whose doing it is that a fault is over: a remedy's, if it was seen to be over before the time at which it ends by
 * itself, or every pod of the target was made between the injection and that time. Otherwise it may have ended by
 * itself, whether or not its object is still there: throws `fault-expired` (terminal), for a verdict would not show who
 * repaired it.
 */
export async function refuseExpired(
  { context, judged: { fault }, number }: IncidentPart,
  kept: KeptMark,
  { state }: Pick<Round, "state">,
  isInOrder: boolean,
): Promise<void> {
  const { expiresAt, injectedAt, isOver } = termOf(kept, number);
  if (expiresAt === null || isOver) return;
  const { at, pods } = state;
  if (at < expiresAt) {
    if (isInOrder || !(await fault.status(context)).present)
      await kept.change(withTerm(kept, number, { isOver: true }));
    return;
  }
  const isNew = (createdAt: number): boolean => createdAt > injectedAt && createdAt < expiresAt;
  const allNew = pods.every(({ metadata }) => isNew(Date.parse(metadata.creationTimestamp ?? "")));
  if (pods.length > 0 && allNew) {
    await kept.change(withTerm(kept, number, { isOver: true }));
    return;
  }
  throw terminal(
    "fault-expired",
    `${fault.name} on ${context.target} ended by itself ${Math.round((at - expiresAt) / 1000)} s ago, and was not seen to be over before; a verdict would not show who repaired it`,
    { injectedAt, expiresAt },
  );
}
