import { withApiDefaults } from "../api-defaults.ts";
import { valueAt } from "../field-change.ts";
import { valueInWords } from "../value-in-words.ts";
import { type ChangedField, changedFields } from "./changes.ts";
import { commonCalls } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy, type Finding } from "./evidence.ts";

/** What was changed lately of one object, the latest first. */
export type Changes = readonly [ChangedField, ...ChangedField[]];

/**
 * Evidence in the change log alone: `isCause` says which change is the fault, of an object of which `all` was changed. Paths
 * are as the log has them, such as `spec.template.spec.containers[server].image`.
 */
export const changeEvidence = (
  labels: CauseLabels,
  isCause: (change: ChangedField, all: Changes) => boolean,
): Evidence =>
  evidenceBy([commonCalls.changes], ([log = ""]) =>
    changesByObject(log).flatMap((changes) => {
      const found = changes.find((change) => isCause(change, changes));
      return found ? [changeFinding(found, labels)] : [];
    }),
  );

/** The changes that an answer of `diff_since` names, object by object. */
export function changesByObject(log: string): Changes[] {
  const groups = Map.groupBy(changedFields(log), ({ object: { kind, name } }) => `${kind}/${name}`);
  return [...groups.values()].filter((all): all is ChangedField[] & Changes => all.length > 0);
}

/** A changed field as what was found. `workload`: on which it shows; default: the object itself. */
export const changeFinding = (
  { object, field, was, is }: ChangedField,
  labels: CauseLabels,
  workload: string = object.name,
): Finding => ({
  object,
  field: field.replace(/\b((?:initC|c)ontainers|env)\[([^\]=]+)\]/g, "$1[name=$2]"),
  wrong: plain(is),
  // A change log shows only what manifests say: where one left the field out, the server's value was in force.
  right: was === null ? defaultIn(object.kind, field) : plain(was),
  workload,
  seen: "cause",
  ...labels,
});

/** What the API server gives a field that was not declared, such as `spec.strategy` of a Deployment; `none`: nothing. */
export function defaultIn(kind: string, field: string): string {
  const bare = { apiVersion: "", kind, metadata: { name: "" }, spec: { template: { spec: {} } } };
  return valueInWords(valueAt(withApiDefaults(bare), `/${field.replaceAll(".", "/")}`));
}

const plain = (json: string | null): string => json?.replace(/^"(.*)"$/, "$1") ?? "none";
