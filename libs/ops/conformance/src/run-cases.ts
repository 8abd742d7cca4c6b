import { randomBytes } from "node:crypto";
import { busyFactor } from "@microremed/core";
import type { Area, Case, CaseResult, Interpreter, Need, Script, Target } from "./case.types.ts";
import { createCaseContext } from "./case-context.ts";
import { createNamespace, deleteNamespace, emptyNamespace } from "./case-namespace.ts";
import type { Lacking } from "./probe-needs.ts";

export interface RunCasesOptions {
  readonly target: Target;
  readonly areas: readonly Area[];
  readonly lacking: Lacking;
  readonly jobs: number;
  /** Of one case, wall clock on an idle machine, ms; an area's scripts have it each. */
  readonly deadlineMs: number;
  /** Namespaces stay, without what ran in them. */
  readonly keepsNamespaces: boolean;
  readonly onResult?: (result: CaseResult) => void;
}

type Unit = () => Promise<readonly CaseResult[]>;

/** Runs all cases, several at a time, each in a namespace of its own; results in the order of the areas. */
export async function runCases(options: RunCasesOptions): Promise<readonly CaseResult[]> {
  const { areas, jobs, onResult } = options;
  const units = areas.flatMap((area, order) =>
    unitsOf(options, area).map((unit) => ({
      order,
      unit,
      long: "scripts" in area,
      alone: area.closesNodes ?? false,
    })),
  );
  const found: (readonly CaseResult[])[] = [];
  // Whole processes of scripts take longest, so they start first.
  const sorted = [...units.entries()].sort(([, a], [, b]) => Number(b.long) - Number(a.long));
  const work = async (queue: (typeof sorted)[number][]): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const results = await next[1].unit();
      found[next[0]] = results;
      for (const result of results) onResult?.(result);
    }
  };
  const together = sorted.filter(([, { alone }]) => !alone);
  await Promise.all(Array.from({ length: jobs }, () => work(together)));
  await work(sorted.filter(([, { alone }]) => alone));
  return found.flat();
}

function unitsOf(options: RunCasesOptions, area: Area): Unit[] {
  const lacking = (need: Need | undefined): string | undefined => need && options.lacking(need);
  const reason = lacking(area.needs);
  if ("scripts" in area) {
    const { interpreter, scripts } = area;
    if (scripts.length === 0) return [];
    return [
      () => (reason ? skip(area, scripts, reason) : runScripts(options, area.name, interpreter, scripts)),
    ];
  }
  return area.cases.map((one) => {
    const why = reason ?? one.steps.map((step) => lacking(step.needs)).find((each) => each !== undefined);
    return async () => (why ? skip(area, [one], why) : [await runCase(options, area.name, one)]);
  });
}

async function skip(area: Area, cases: readonly { name: string }[], reason: string): Promise<CaseResult[]> {
  return cases.map(({ name }) => ({ area: area.name, name, outcome: "skipped", reason, ms: 0 }));
}

const newNamespace = (area: string): string =>
  `conf-${area
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 20)}-${randomBytes(4).toString("hex")}`;

const leave = (target: Target, namespace: string, keepsNamespaces: boolean): Promise<void> =>
  (keepsNamespaces ? emptyNamespace : deleteNamespace)(target, namespace);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function runCase(
  { target, deadlineMs, keepsNamespaces }: RunCasesOptions,
  area: string,
  one: Case,
): Promise<CaseResult> {
  const began = performance.now();
  const namespace = newNamespace(area);
  const signal = AbortSignal.timeout(Math.ceil(deadlineMs * busyFactor()));
  const result = (outcome: "passed" | "failed", reason?: string): CaseResult => ({
    area,
    name: one.name,
    outcome,
    ...(reason !== undefined && { reason }),
    ms: Math.round(performance.now() - began),
  });
  try {
    await createNamespace(target, namespace, signal);
    await using context = createCaseContext(target, namespace, signal);
    for (const step of one.steps) await step.run(context);
    return result("passed");
  } catch (error) {
    return result("failed", messageOf(error));
  } finally {
    await leave(target, namespace, keepsNamespaces);
  }
}

async function runScripts(
  { target, deadlineMs, keepsNamespaces }: RunCasesOptions,
  area: string,
  interpreter: Interpreter,
  scripts: readonly Script[],
): Promise<CaseResult[]> {
  const began = performance.now();
  const signal = AbortSignal.timeout(Math.ceil(deadlineMs * scripts.length * busyFactor()));
  const jobs = scripts.map((script) => ({ ...script, namespace: newNamespace(area) }));
  const failures: (string | undefined)[] = [];
  try {
    await Promise.all(jobs.map(({ namespace }) => createNamespace(target, namespace, signal)));
    failures.push(...(await interpreter(target, jobs, signal)));
  } catch (error) {
    failures.push(...jobs.map(() => messageOf(error)));
  } finally {
    await Promise.all(jobs.map(({ namespace }) => leave(target, namespace, keepsNamespaces)));
  }
  const ms = Math.round(performance.now() - began);
  return jobs.map(({ name }, index) => {
    const reason = failures[index];
    return {
      area,
      name,
      outcome: reason === undefined ? "passed" : "failed",
      ...(reason !== undefined && { reason }),
      ms,
    };
  });
}
