import { endSteps } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { createReport } from "@microremed/scoring";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());
const range = resources.use(
  await startInProcessRange({
    catalogue: await builtInCatalogue(),
    environments: ["simple-micro"],
    clusters: 2,
  }),
);

async function run(id: string, method: string[], failures: string[]) {
  const watch = { windows: 4, windowSeconds: 60, withinWindows: 4 };
  const reply = await range.client.submit({
    ...{ id, environment: "simple-micro", method, model: "none", task: "monitoring", failures, watch },
    ...{ target: "time-service", historySeconds: 120 },
  });
  expect(reply).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000)))
    if (event.type === "experiment-finished") break;
  const { experiment, episodes } = await range.client.experiment(id);
  return { episodes, report: createReport(experiment, episodes) };
}

test("always no misses every fault, always yes raises an alarm at once, and who measures sees the fault come", async () => {
  const failures = ["network-delay", "none", "cpu-stress", "network-loss"];
  const { episodes, report } = await run("watch", ["AlwaysNo", "AlwaysYes", "MKSMC-like"], failures);
  const of = (method: string) => episodes.filter((episode) => episode.method === method);
  for (const { failure, outcome, steps } of of("AlwaysNo")) {
    expect(outcome).toBe(failure === "none" ? "solved" : "not-solved");
    expect(endSteps(steps)).toHaveLength(4);
  }
  for (const { outcome, injection, steps } of of("AlwaysYes")) {
    expect(outcome).toBe(injection?.verdict.oracle === "none" ? "not-solved" : "solved");
    expect(endSteps(steps)).toHaveLength(1);
  }
  const measured = of("MKSMC-like");
  expect(measured.map(({ failure, outcome }) => [failure, outcome])).toEqual(
    failures.map((failure) => [failure, "solved"]),
  );
  // The fault's time is the case's: the same for every agent that still watches then.
  const [missed, seen] = [of("AlwaysNo")[0], measured[0]];
  expect(seen?.injection?.verdict.oracle).toBe(missed?.injection?.verdict.oracle);
  // The agent waits 30 s in every turn, which makes its watch longer.
  const offset = (episode: typeof seen) =>
    ((episode?.injection?.injectedAt ?? 0) - (episode?.watched?.from ?? 0)) / 1000;
  expect(offset(seen)).toBeGreaterThanOrEqual(offset(missed));

  const rows = report.episodes.filter(({ method }) => method === "MKSMC-like").map(({ tasks }) => tasks[0]);
  for (const row of rows) {
    expect(row).toMatchObject({ task: "monitoring", passed: true });
    if (row?.incident) expect(row.seconds).toBeGreaterThan(0);
  }
  const [summary] = report.groups.find(({ method }) => method === "MKSMC-like")?.summary.tasks ?? [];
  expect(summary).toMatchObject({ alarms: { hitRate: 1, precision: 1, falseAlarmsPerHour: 0 } });
});

test("nothing that the agent is given says when the fault comes, or whether one does", async () => {
  const { episodes } = await run("words", ["AlwaysNo"], ["network-delay", "none"]);
  const said = await Promise.all(
    episodes.map(async ({ id, arena }) => {
      const conversation = await range.client.conversation(id);
      return conversation.map(({ content }) => content.replaceAll(arena?.namespace ?? "", "NAMESPACE"));
    }),
  );
  expect(said[0]).toEqual(said[1]);
  expect(said[0]?.filter((content) => content.includes("Question "))).toHaveLength(4);
});
