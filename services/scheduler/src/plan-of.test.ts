import type { EpisodeRecord, ExperimentRecord, Stage } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { advance, commandMessage, type EpisodeEvent } from "@microremed/episode";
import { anArena, anEpisode, aPlan, aResult, bodies } from "@microremed/episode/testing";
import { expect, test } from "vitest";
import { planOf } from "./plan-of.ts";
import type { Catalog } from "./service.types.ts";
import { aCatalog } from "./testing/catalog.ts";

const { request, submittedAt } = aPlan();
const experiment = { id: "exp", request, submittedAt, status: "running" } as ExperimentRecord;

const without = (change: Partial<Catalog>): Catalog => ({ ...aCatalog, ...change });
const withoutTask = without({
  task: () => {
    throw terminal("unknown-entry", 'there is no task "mitigation"');
  },
});
const withoutMethod = without({
  maxAttempts: () => {
    throw terminal("unknown-method", "there is no such method");
  },
});

function after(record: EpisodeRecord, catalog: Catalog, event: EpisodeEvent) {
  const step = advance(record, planOf({ catalog }, experiment, record), event, 1_000);
  if (!step) throw new Error(`${event.kind} does not concern an episode that is ${record.state}`);
  return step;
}

const result = (record: EpisodeRecord, stage: Stage, body: unknown): EpisodeEvent => ({
  kind: "result",
  result: aResult(record, stage, body),
});

/** An episode that has just been prepared, by a scheduler that knew its task. */
function prepared(): EpisodeRecord {
  const leased = after(anEpisode(), aCatalog, { kind: "leased", arena: anArena }).record;
  return after(leased, aCatalog, result(leased, "prepare", bodies.prepare.ok)).record;
}

test.each([
  ["unknown-entry", withoutTask],
  ["unknown-method", withoutMethod],
])(
  "an episode whose entry the scheduler lacks ends as harness-error and is restored: %s",
  (code, catalog) => {
    const record = prepared();
    expect(record.state).toBe("prepared");
    const restoring = after(record, catalog, result(record, "inject", bodies.inject.ok)).record;
    expect(restoring).toMatchObject({ state: "restoring", outcome: "harness-error", error: { code } });
    expect(restoring.reason).toContain("the scheduler's catalogue");
    const plan = planOf({ catalog }, experiment, restoring);
    expect(commandMessage(restoring, plan)).toMatchObject({ subject: "microremed.commands.restore.c1" });
    const done = after(restoring, catalog, result(restoring, "restore", bodies.restore.ok));
    expect(done.record).toMatchObject({ state: "done", outcome: "harness-error", restored: "reset" });
    expect(done.effect).toMatchObject({ kind: "release" });
  },
);

test("neither a dead letter, a lost stage nor a cancellation needs the entry", () => {
  const record = prepared();
  const { trial, attempt } = record;
  const error = { code: "internal", message: "it broke", details: {} };
  const letter = { kind: "dead-letter", stage: "inject", trial, attempt, error } as const;
  expect(after(record, withoutTask, letter).record.state).toBe("restoring");
  expect(after(record, withoutTask, { kind: "cancel" }).record.outcome).toBe("cancelled");
  const plan = planOf({ catalog: withoutTask }, experiment, record);
  expect(advance(record, plan, { kind: "overdue" }, 1e9)?.record.state).toBe("restoring");
});
