import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { attemptsOf } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { createReport } from "@microremed/scoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";

const environment = "simple-micro";
const resources = new AsyncDisposableStack();
let range: InProcessRange;

beforeAll(async () => {
  const catalogue = await builtInCatalogue();
  range = resources.use(await startInProcessRange({ catalogue, environments: [environment], clusters: 2 }));
});

afterAll(() => resources.disposeAsync());

async function run(id: string, request: Omit<ExperimentRequestInput, "environment">) {
  expect(await range.client.submit({ id, environment, method: "ReAct", ...request })).toMatchObject({
    status: "accepted",
  });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { episodes } = await range.client.experiment(id);
  return episodes.toSorted((a, b) => a.index - b.index);
}

const gradesOf = (episodes: readonly EpisodeRecord[]) =>
  episodes.map((episode) => {
    const { answer, grade } = attemptsOf(episode).at(-1) ?? {};
    return { failure: episode.failure, outcome: episode.outcome, answer, score: grade?.score };
  });

test("localization: who observes finds what is wrong, who says nothing is right of healthy systems alone", async () => {
  const task = "localization";
  const failures = ["pod-config-error", "none"];
  const target = "hello-service";
  const [expert, noop] = await Promise.all([
    run("expert-locates", { task, failures, target, model: "reference/runbook" }),
    run("noop-locates", { task, failures, target, model: "reference/noop" }),
  ]);
  expect(gradesOf(expert).map(({ failure, outcome, score }) => [failure, outcome, score])).toEqual([
    ["pod-config-error", "solved", 1],
    ["none", "solved", 1],
  ]);
  expect(gradesOf(noop)).toEqual([
    { failure: "pod-config-error", outcome: "not-solved", answer: { objects: [] }, score: 0 },
    { failure: "none", outcome: "solved", answer: { objects: [] }, score: 1 },
  ]);
});

test("analysis: an answer is graded by its parts, and no cause is right of healthy systems alone", async () => {
  const request = { task: "analysis", failures: ["pod-config-error", "none"], model: "reference/noop" };
  const episodes = await run("noop-analyses", request);
  expect(gradesOf(episodes)).toMatchObject([
    { failure: "pod-config-error", outcome: "not-solved", answer: { causes: [] }, score: 0 },
    { failure: "none", outcome: "solved", answer: { causes: [] }, score: 1 },
  ]);
  const parts = episodes.map((episode) => Object.keys(attemptsOf(episode)[0]?.grade?.parts ?? {}));
  expect(parts[0]).toEqual(parts[1]);
});

test("a right answer has a time on the cluster's clock, to which thinking adds its price", async () => {
  const request = { task: "detection", failures: ["pod-config-error"], model: "reference/runbook" };
  const id = "timed";
  await run(id, { ...request, thinkTime: 100 });
  const { experiment, episodes } = await range.client.experiment(id);
  const [row] = createReport(experiment, episodes).episodes;
  const [task] = row?.tasks ?? [];
  expect(task).toMatchObject({ task: "detection", incident: true, answered: true, passed: true });
  const completion = episodes.flatMap(attemptsOf).reduce((sum, { usage }) => sum + usage.completionTokens, 0);
  expect(task?.time.thinking).toBeCloseTo(completion / 10);
  const { before = 0, thinking = 0, tools = 0 } = task?.time ?? {};
  expect(task?.seconds).toBeCloseTo(before + thinking + tools);
});
