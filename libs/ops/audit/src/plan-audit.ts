import { type Environment, type Fault, targetText } from "@microremed/catalogue";
import type { Concealment, Persistence } from "@microremed/contracts";
import { createRng, type Rng, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import type { CorpusRemedy, RemedyCase } from "@microremed/remedies";
import { type AuditedRemedy, type Candidate, candidatesOf } from "./candidates.ts";
import { remedyContext } from "./remedy-context.ts";

/** What an incident is like besides its fault. */
export interface Setting {
  readonly concealment: Concealment;
  readonly persistence: Persistence;
}

/** All of them, the published benchmark's first. */
export const settings: readonly Setting[] = [
  { concealment: "none", persistence: "once" },
  { concealment: "none", persistence: "rearm" },
  { concealment: "neutral", persistence: "once" },
  { concealment: "neutral", persistence: "rearm" },
];

/** One episode of the audit. */
export interface AuditRun extends Setting {
  readonly environment: string;
  readonly failure: string;
  readonly seed: number;
  readonly target: string;
  readonly remedy: AuditedRemedy;
  readonly playbook: string;
  /** How long the playbook may run, s; undefined: as requests do by default. */
  readonly playbookSeconds: number | undefined;
}

/** What an audit is made from. */
export interface AuditOf {
  readonly catalogue: Pick<Catalogue, "faults">;
  readonly corpus: readonly CorpusRemedy[];
  readonly environment: Environment;
  readonly failures: readonly string[];
  /** Of each failure. */
  readonly runs: number;
  readonly seed: number;
  /** Absent: all. */
  readonly settings?: readonly Setting[];
  /** Names of the remedies to try; absent: all. */
  readonly remedies?: readonly string[];
  /** Nothing to try is an answer, not an error. */
  readonly mayBeEmpty?: true;
}

/** Failures that an audit of an environment is about when none are named. */
export interface Auditable {
  /** All but the controls that have a target there. */
  readonly failures: readonly string[];
  /** Those that have none there. */
  readonly withoutTarget: readonly string[];
}

/** The faults of the catalogue, controls left out, by whether the environment has a target for them. */
export function auditable({ faults }: Pick<Catalogue, "faults">, environment: Environment): Auditable {
  const all = faults.all().filter(({ control }) => !control);
  const hasTarget = (fault: Fault): boolean => fault.targets(environment).length > 0;
  const names = (some: readonly Fault[]): string[] => some.map(({ name }) => name);
  return {
    failures: names(all.filter(hasTarget)),
    withoutTarget: names(all.filter((fault) => !hasTarget(fault))),
  };
}

/** Seeds of one audit: as many runs of a failure can differ. */
const seedsOfAudit = 20_000;

/**
 * `runs` runs of each failure, non-repairs and repairs in turn. Every remedy that applies to a failure comes once before
 * any comes again; the failures begin at different ones, so that few runs of each try all. Settings change from run to
 * run; targets are drawn from
 * those that a remedy applies to. The seed decides everything.
 * Throws `invalid-request` (terminal) when nothing can be tried against any of the failures.
 */
export function planAudit(of: AuditOf): AuditRun[] {
  const perFailure = of.failures.map((failure, index) => runsOf(of, failure, index));
  // Failure by failure in turn: what takes long does not gather at the end.
  const planned = Array.from({ length: of.runs }, (_, number) =>
    perFailure.flatMap((some) => some[number] ?? []),
  ).flat();
  if (planned.length > 0 || of.mayBeEmpty) return planned;
  throw terminal(
    "invalid-request",
    `nothing to try on ${of.environment.name}: no remedy applies to ${of.failures.join(", ") || "any failure"} there`,
  );
}

/**
 * The playbook of a planned run for an arena of another name: where a cluster has several arenas, each has a namespace of
 * its own. Throws `internal` (terminal) for a run of another plan.
 */
export function playbookIn(
  { catalogue, corpus, environment }: Pick<AuditOf, "catalogue" | "corpus" | "environment">,
  run: AuditRun,
  namespace: string,
): string {
  const { failure, target, concealment, persistence, remedy } = run;
  const fault = catalogue.faults.get(failure);
  const candidate = candidatesOf(fault, corpus).find(
    (one) => one.name === remedy.name && one.class === remedy.class,
  );
  if (!candidate)
    throw terminal("internal", `there is no remedy ${remedy.class}/${remedy.name} of ${failure}`);
  const context = remedyContext(fault, environment, namespace, target);
  return candidate.playbookFor({ fault, context, concealment, persistence });
}

function runsOf(of: AuditOf, failure: string, index: number): AuditRun[] {
  const fault = of.catalogue.faults.get(failure);
  const about: About = { of, fault, targets: fault.targets(of.environment).map(targetText) };
  const all = candidatesOf(fault, of.corpus).filter(({ name }) => of.remedies?.includes(name) ?? true);
  const kinds = [false, true].map((clean) =>
    inTurn(
      all.filter(({ expected }) => expected.clean === clean),
      of,
      index,
    ),
  );
  const [wrong = [], right = []] = kinds;
  const isMixed = wrong.length > 0 && right.length > 0;
  const planned: AuditRun[] = [];
  const turns = [0, 0];
  const dead = new Set<Candidate>();
  for (let number = 0; number < of.runs; number++) {
    const which = isMixed ? number % 2 : right.length > 0 ? 1 : 0;
    const some = kinds[which] ?? [];
    const run = nextRun(about, some, turns, which, number, dead);
    if (run) planned.push(run);
  }
  return planned;
}

/** What the runs of one failure have in common. */
interface About {
  readonly of: AuditOf;
  readonly fault: Fault;
  /** All that the fault can hit. */
  readonly targets: readonly string[];
}

/** The next candidate of the list that applies to a case of the fault; those that apply to none are left out for good. */
function nextRun(
  about: About,
  some: readonly Candidate[],
  turns: number[],
  which: number,
  number: number,
  dead: Set<Candidate>,
): AuditRun | undefined {
  for (let tried = 0; tried < some.length; tried++) {
    const turn = turns[which] ?? 0;
    turns[which] = turn + 1;
    const candidate = some[turn % some.length];
    if (!candidate || dead.has(candidate)) continue;
    // A candidate that comes again does so in the next setting.
    const run = runFor(about, candidate, number, Math.floor(turn / some.length) + turn);
    if (run) return run;
    dead.add(candidate);
  }
  return undefined;
}

/** In an order that the seed draws, the same for all failures, each beginning elsewhere. */
function inTurn(some: readonly Candidate[], of: AuditOf, index: number): readonly Candidate[] {
  const drawn = some
    .map((one) => ({ one, place: createRng(`${of.seed}/${of.environment.name}`, one.name).float() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
  const from = Math.floor((index * drawn.length) / Math.max(1, of.failures.length));
  return [...drawn.slice(from), ...drawn.slice(0, from)];
}

function runFor(
  { of, fault, targets }: About,
  candidate: Candidate,
  number: number,
  turn: number,
): AuditRun | undefined {
  const { environment } = of;
  const chosen = of.settings ?? settings;
  const turned = chosen.map((_, i) => chosen[(turn + i) % chosen.length] ?? chosen[0]);
  const seed = of.seed * seedsOfAudit + number;
  for (const target of fromDrawn(targets, createRng(seed, fault.name))) {
    const context = remedyContext(fault, environment, environment.namespace, target);
    for (const setting of turned) {
      if (!setting) continue;
      const one: RemedyCase = { fault, context, ...setting };
      if (!candidate.appliesTo(one)) continue;
      const { name, expected, playbookSeconds } = candidate;
      return {
        environment: environment.name,
        failure: fault.name,
        seed,
        target,
        ...setting,
        remedy: { name, class: candidate.class, expected },
        playbook: candidate.playbookFor(one),
        playbookSeconds,
      };
    }
  }
  return undefined;
}

/** All of them in their order, from a drawn one on. */
function fromDrawn(all: readonly string[], rng: Rng): readonly string[] {
  const from = rng.int(Math.max(1, all.length));
  return [...all.slice(from), ...all.slice(0, from)];
}
