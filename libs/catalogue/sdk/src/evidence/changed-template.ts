import { type ChangedField, changedFields } from "./changes.ts";
import { commonCalls } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy, type Finding } from "./evidence.ts";

const container = /\[([^\]=]+)\]/g;
const plain = (json: string | null): string => json?.replace(/^"(.*)"$/s, "$1") ?? "none";

/**
 * Evidence by the change log: fields of pod templates that were given another value. `isCause` says which changes are
 * the fault; it sees paths as the log has them, such as `spec.template.spec.containers[server].image`.
 */
export const changedTemplate = (
  labels: CauseLabels,
  isCause: (change: ChangedField, others: readonly ChangedField[]) => boolean,
): Evidence =>
  evidenceBy([commonCalls.changes], ([log = ""]) => {
    const changes = changedFields(log).filter(({ is }) => is !== null);
    const found = changes
      .filter((one) => isCause(one, changes.filter(isOf(one))))
      .map((change) => findingOf(change, labels));
    // The log has a change of a template both as what was written and as what became of it; the latter has the old value.
    return [...new Map(found.toReversed().map((one) => [`${one.workload} ${one.field}`, one])).values()];
  });

const isOf =
  ({ object }: ChangedField) =>
  ({ object: other }: ChangedField): boolean =>
    object.kind === other.kind && object.name === other.name;

const findingOf = ({ object, field, was, is }: ChangedField, labels: CauseLabels): Finding => ({
  object,
  field: field.replaceAll(container, "[name=$1]"),
  wrong: plain(is),
  right: plain(was),
  workload: object.name,
  seen: "cause",
  ...labels,
});
