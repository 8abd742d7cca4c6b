import { shareOf } from "@microremed/catalogue/testing";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { createReport, type Report } from "@microremed/scoring";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const catalogue = await builtInCatalogue();
const environment = "simple-micro";
const system = catalogue.environments.get(environment);
const range = await startInProcessRange({ catalogue, environments: [environment], clusters: 2 });
afterAll(() => range[Symbol.asyncDispose]());

let count = 0;

async function run(request: Omit<ExperimentRequestInput, "environment">): Promise<Report> {
  const id = `range-${count++}`;
  expect(await range.client.submit({ id, environment, ...request })).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { experiment, episodes } = await range.client.experiment(id);
  return createReport(experiment, episodes);
}

/** A whole proof (WHOLE_PROOF=true) takes every fault; each method has other ones. */
test.each(["ThinkRemed", "SoloGen"])(
  "%s: the runbook repairs every fault that it is written for",
  async (method) => {
    const written = catalogue.faults
      .all()
      .filter(({ control, targets, runbook, cause }) => {
        const isKnown = runbook !== undefined || cause !== undefined;
        return !control && isKnown && targets(system).length > 0;
      })
      .map(({ name }) => name);
    const failures = shareOf(method === "SoloGen" ? written : written.toReversed(), 6);
    expect(failures).not.toEqual([]);
    const report = await run({ model: "reference/runbook", method, failures });
    expect(report.episodes.map((row) => [row.failure, row.outcome, row.reason])).toEqual(
      failures.map((failure) => [failure, "remediated", expect.any(String)]),
    );
  },
);

test("noop repairs nothing, and the same seed gives the same episodes, targets and outcomes", async () => {
  // That waiting longer ends no failure either is for the proof of each fault.
  const timeouts = { recoverySeconds: 60 };
  const request = { model: "reference/noop", failures: { random: 4 }, seed: 11, timeouts };
  const [first, second] = await Promise.all([run(request), run(request)]);
  const cases = (report: Report) => report.episodes.map((row) => [row.failure, row.target, row.outcome]);
  expect(cases(first)).toEqual(cases(second));
  expect(first.summary).toMatchObject({ total: 4, injected: 4, remediated: 0 });
});
