import type { NewObject } from "@microremed/sim-objects";
import { chaosKinds } from "../kinds/chaos-kinds.ts";
import { blockOf } from "../schedule/block-of.ts";
import { parseChaosCron } from "../schedule/chaos-cron.ts";

/** A Schedule with its one default. Namespaces in its template stay as they are: the experiment gets its own. */
export function defaultedSchedule(object: NewObject): NewObject {
  return { ...object, spec: { concurrencyPolicy: "Forbid", ...object.spec } };
}

/** What the validating webhook says against a Schedule; empty: nothing. */
export function scheduleErrors({ spec = {} }: NewObject): readonly string[] {
  const { schedule = "", type, concurrencyPolicy, historyLimit, startingDeadlineSeconds } = spec;
  const errors: string[] = [];
  try {
    parseChaosCron(String(schedule));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    errors.push(
      `spec.schedule: Invalid value: ${JSON.stringify(schedule)}: parse schedule field error:${why}`,
    );
  }
  if (!["Forbid", "Allow"].includes(concurrencyPolicy))
    errors.push(
      `spec.concurrencyPolicy: Unsupported value: ${JSON.stringify(concurrencyPolicy)}: supported values: "Allow", "Forbid"`,
    );
  if (historyLimit !== undefined && !(historyLimit >= 1))
    errors.push(
      `spec.historyLimit: Invalid value: ${historyLimit}: spec.historyLimit in body should be greater than or equal to 1`,
    );
  if (startingDeadlineSeconds != null && !(startingDeadlineSeconds >= 0))
    errors.push(
      `spec.startingDeadlineSeconds: Invalid value: ${startingDeadlineSeconds}: spec.startingDeadlineSeconds in body should be greater than or equal to 0`,
    );
  const kind = chaosKinds.find((each) => each.kind === type);
  if (kind && spec[blockOf(kind.kind)] === undefined)
    errors.push("runtime error: invalid memory address or nil pointer dereference");
  return errors;
}

/** The experiment that a Schedule makes. */
export function templateOf({ spec = {} }: NewObject): NewObject["spec"] {
  return spec[blockOf(String(spec.type ?? ""))] ?? {};
}
