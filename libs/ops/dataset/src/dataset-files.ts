import { callsPerRequest, type Environment } from "@microremed/catalogue";
import { stringify } from "csv-stringify/sync";
import { parts } from "./dataset.types.ts";
import type { CaseLabels } from "./labels.ts";

/**
 * The table of all cases: one row each, healthy systems without an incident's columns. Of several faults each column has a
 * value for each, joined by ` + `; a column that no fault has a value for is empty.
 */
export function casesCsv(cases: readonly CaseLabels[]): string {
  const header = [
    ...["index", "part", "folder", "environment", "fault", "target", "service", "mechanism"],
    ...["system_level", "fault_type", "injected_at_unix_ms", "expires_at_unix_ms", "step_seconds"],
  ];
  const rows = cases.map(({ index, part, folder, environment, stepSeconds, truths, ...one }) => {
    const faults = one.incident ? [one.incident, ...(one.further ?? [])] : [];
    const each = (values: readonly (string | number | null)[]): string =>
      values.every((value) => value === null) ? "" : values.map((value) => value ?? "").join(" + ");
    return [
      ...[index, part, folder, environment, each(faults.map(({ fault }) => fault))],
      ...[each(faults.map(({ target }) => target)), each(faults.map(({ service }) => service))],
      ...[each(truths.map(({ mechanism }) => mechanism)), each(truths.map(({ systemLevel }) => systemLevel))],
      ...[each(truths.map(({ faultType }) => faultType)), each(faults.map(({ injectedAt }) => injectedAt))],
      ...[each(faults.map(({ expiresAt }) => expiresAt)), stepSeconds],
    ];
  });
  return stringify([header, ...rows], { escape_formulas: true });
}

/** The folders of each part, a line each: the file `splits/<part>.txt`. */
export function splitFiles(cases: readonly CaseLabels[]): ReadonlyMap<string, string> {
  return new Map(
    parts.map((part) => {
      const own = cases.filter((one) => one.part === part).map(({ folder }) => `${folder}\n`);
      return [`splits/${part}.txt`, own.join("")];
    }),
  );
}

/** The calls between the services of a system, a row each: how often for one request, and whether the request fails without it. */
export function callGraphCsv(environment: Environment): string {
  const rows = Object.entries(environment.workloads).flatMap(([from, { calls }]) =>
    calls.map((call) => [
      ...[from, call.to, call.protocol, String(callsPerRequest(environment, from, call))],
      String(call.required),
    ]),
  );
  return stringify([["from", "to", "protocol", "per_request", "required"], ...rows]);
}
