import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { digestOfValue } from "./digest.ts";
import { sortKeys } from "./normalise.ts";

/** Digests of what the CronJobs among these objects have their Jobs run, without repeats. */
export const jobTemplatesOf = (objects: readonly KubeObject[]): string[] => [
  ...new Set(
    objects.flatMap(({ kind, spec }) => {
      const template = isJsonObject(spec) ? spec["jobTemplate"] : undefined;
      return kind === "CronJob" && isJsonObject(template) ? [whatRuns(template)] : [];
    }),
  ),
];

/** Digest of what the pods of a Job, or of a template of Jobs, run: equal for a CronJob and the Jobs that it makes. */
export function whatRuns({ spec }: Readonly<Record<string, unknown>>): string {
  const template = isJsonObject(spec) ? spec["template"] : undefined;
  return digestOfValue(sortKeys((isJsonObject(template) ? template["spec"] : undefined) ?? null));
}
