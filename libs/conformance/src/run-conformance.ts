import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Area, CaseResult } from "./case.types.ts";
import { areas } from "./cases/index.ts";
import { holdClock } from "./hold-clock.ts";
import { probeNeeds } from "./probe-needs.ts";
import { runCases } from "./run-cases.ts";
import { openTarget } from "./target.ts";

export interface ConformanceOptions {
  readonly kubeconfig: string;
  /** Only cases whose `area: name` matches. */
  readonly filter?: RegExp;
  readonly jobs?: number;
  /** Of one case, wall clock, ms; default 120 s, enough to pull images. */
  readonly deadlineMs?: number;
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs the suite against a cluster. It needs the rights of an admin; it changes nothing outside its own namespaces for good. */
export async function runConformance(options: ConformanceOptions): Promise<readonly CaseResult[]> {
  const { kubeconfig, filter = /./, jobs = 4, deadlineMs = 120_000, onResult } = options;
  const dir = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    using target = await openTarget(resolve(kubeconfig), dir);
    const missing = await probeNeeds(target);
    await using _held = await holdClock(target);
    return await runCases({
      target,
      areas: areas.map((each) => filtered(each, filter)),
      missing,
      jobs,
      deadlineMs,
      ...(onResult && { onResult }),
    });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function filtered(area: Area, filter: RegExp): Area {
  const keep = ({ name }: { readonly name: string }): boolean => filter.test(`${area.name}: ${name}`);
  return "scripts" in area
    ? { ...area, scripts: area.scripts.filter(keep) }
    : { ...area, cases: area.cases.filter(keep) };
}
