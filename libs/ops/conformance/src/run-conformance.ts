import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Area, CaseResult } from "./case.types.ts";
import { areas } from "./cases/index.ts";
import { holdClock } from "./hold-clock.ts";
import { probeNeeds } from "./probe-needs.ts";
import { runCases } from "./run-cases.ts";
import { openTarget } from "./target.ts";

/** The cluster, as the path of its kubeconfig, and what to run on it. */
export interface ConformanceOptions {
  readonly kubeconfig: string;
  /** A folder whose kubectl is used; default: the first one on the PATH. */
  readonly programs?: string;
  /** Only cases whose `area: name` passes this test. */
  readonly filter?: { test(name: string): boolean };
  /** Cases at once. Default 4. */
  readonly jobs?: number;
  /**
   * How often a case may run, default 1. Failed ones run again by themselves, when the machine is quieter, and say so in
   * their result; a run in which very many fail is not repeated.
   */
  readonly tries?: number;
  /** Of one case, wall clock, ms; default 120 s, enough to pull images. */
  readonly deadlineMs?: number;
  /** The cluster ends with the run: namespaces need not be deleted, only what runs in them. */
  readonly endsAfterwards?: boolean;
  readonly onResult?: (result: CaseResult) => void;
}

const maxRepeated = 20;

/** Runs the suite against a cluster. It needs the rights of an admin; it changes nothing outside its own namespaces for good. */
export async function runConformance(options: ConformanceOptions): Promise<readonly CaseResult[]> {
  const { kubeconfig, programs, filter = /./, jobs = 4, tries = 1, deadlineMs = 120_000, onResult } = options;
  const { endsAfterwards = false } = options;
  const dir = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    using target = await openTarget(resolve(kubeconfig), dir, programs);
    const lacking = await probeNeeds(target);
    await using _held = await holdClock(target);
    const run = (keep: (name: string) => boolean, atOnce: number): Promise<readonly CaseResult[]> =>
      runCases({
        target,
        areas: areas.map((each) => filtered(each, keep)),
        lacking,
        jobs: atOnce,
        deadlineMs,
        keepsNamespaces: endsAfterwards,
        ...(onResult && { onResult }),
      });
    let results = await run((name) => filter.test(name), jobs);
    for (let attempt = 2; attempt <= tries; attempt += 1) {
      const failed = new Set(results.filter(({ outcome }) => outcome === "failed").map(fullName));
      if (failed.size === 0 || failed.size > maxRepeated) break;
      const again = await run((name) => failed.has(name), 1);
      const repeated = new Map(again.map((result) => [fullName(result), { ...result, attempt }]));
      results = results.map((result) => repeated.get(fullName(result)) ?? result);
    }
    return results;
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** `area: name` of every case, in the order of the areas. */
export const caseNames: readonly string[] = areas.flatMap((area) =>
  ("scripts" in area ? area.scripts : area.cases).map(({ name }) => fullName({ area: area.name, name })),
);

function fullName({ area, name }: { readonly area: string; readonly name: string }): string {
  return `${area}: ${name}`;
}

function filtered(area: Area, wanted: (name: string) => boolean): Area {
  const keep = ({ name }: { readonly name: string }): boolean => wanted(fullName({ area: area.name, name }));
  return "scripts" in area
    ? { ...area, scripts: area.scripts.filter(keep) }
    : { ...area, cases: area.cases.filter(keep) };
}
