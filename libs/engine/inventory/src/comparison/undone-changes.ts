import type { KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { isSame } from "../difference.ts";
import { changeOf, type Expected, isFailed } from "../expected.ts";
import { changedFields, describeFields } from "../fields.ts";
import { identityOf } from "../inventory.ts";

/**
 * What others had changed or added, harmlessly, and is put back or gone: a change that no incident asks for. On what the incident
 * has hit a right repair may bring back what was deployed.
 */
export function undoneChanges(expected: Expected): Change[] {
  const now = new Map(expected.record.map((object) => [identityOf(object), object]));
  return (expected.withNoise ?? []).flatMap((object) => {
    const kept = now.get(identityOf(object));
    if (kept && isSame(kept, object)) return [];
    const is = isOfIncident(expected, object) ? "allowed" : "changed";
    const detail = kept
      ? `what others had changed was undone: ${describeFields(changedFields(object, kept))}`
      : "others had made it";
    return [changeOf(expected, kept ? "changed" : "removed", object, is, detail)];
  });
}

/** Whether a fault was injected into an object, or into the workload of its name. */
function isOfIncident(expected: Expected, object: KubeObject): boolean {
  const identity = identityOf(object);
  const { arena = {}, fields = {} } = expected.mark ?? {};
  return (
    isFailed(expected, object.metadata.name) ||
    arena[identity] !== undefined ||
    Object.keys(fields[identity] ?? {}).length > 0
  );
}
