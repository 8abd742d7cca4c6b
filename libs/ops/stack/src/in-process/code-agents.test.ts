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
    env: {},
  }),
);

type Wanted = Omit<Parameters<typeof range.client.submit>[0], "id" | "environment">;

async function report(id: string, wanted: Wanted) {
  const reply = await range.client.submit({ id, environment: "simple-micro", ...wanted });
  expect(reply).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000)))
    if (event.type === "experiment-finished") break;
  const { experiment, episodes } = await range.client.experiment(id);
  return createReport(experiment, episodes);
}

test("agents of code run without a model, beside one with a model, and are right as often as arithmetic says", async () => {
  const { episodes } = await report("code-1", {
    method: ["AlwaysYes", "AlwaysNo", "ReAct"],
    model: "reference/noop",
    task: "detection",
    failures: ["cpu-stress", "none", "network-delay"],
  });
  const share = (method: string) => {
    const own = episodes.filter((one) => one.method === method);
    return {
      passed: own.filter(({ outcome }) => outcome === "solved").length,
      models: [...new Set(own.map(({ model }) => model))],
    };
  };
  expect(share("AlwaysYes")).toEqual({ passed: 2, models: ["none"] });
  expect(share("AlwaysNo")).toEqual({ passed: 1, models: ["none"] });
  expect(share("ReAct")).toEqual({ passed: 1, models: ["reference/noop"] });
  const [episode] = episodes.filter(({ model }) => model === "none");
  const conversation = await range.client.conversation(episode?.id ?? "");
  expect(conversation.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("an agent of code is refused a task that it can't do, and several models; one with a model is refused none", async () => {
  const refusal = async (wanted: Wanted) => {
    const reply = await range.client.submit({
      id: "refused",
      environment: "simple-micro",
      failures: ["none"],
      ...wanted,
    });
    return JSON.stringify(reply);
  };
  expect(await refusal({ method: "AlwaysYes", model: "none" })).toContain(
    "AlwaysYes cannot do the task mitigation",
  );
  const detection = { task: "detection" };
  expect(await refusal({ method: "AlwaysYes", model: ["a", "b"], ...detection })).toContain("calls no model");
  expect(await refusal({ method: "ReAct", model: "none", ...detection })).toContain("name a model");
});

test("baselines suspect by load, by changes and by chance, the same in every run", async () => {
  const wanted: Wanted = {
    agentSeed: "a",
    method: ["Random", "MostLoaded", "LastChanged"],
    model: "none",
    task: ["detection", "localization"],
    failures: ["cpu-stress"],
    target: "time-service",
  };
  const outcomes = async (id: string) => {
    const { episodes } = await report(id, wanted);
    return Object.fromEntries(
      episodes.map((one) => [`${one.method} ${one.task}`, `${one.outcome} ${one.reason}`]),
    );
  };
  const first = await outcomes("baselines-1");
  expect(await outcomes("baselines-2")).toEqual(first);
  // The stressed workload uses all of its CPU, and nothing was changed.
  expect(first["MostLoaded detection"]).toContain("solved something was said");
  expect(first["MostLoaded localization"]).toMatch(/^solved named .*time-service/i);
  expect(first["LastChanged detection"]).toContain("nothing was said to be wrong");
  expect(first["LastChanged localization"]).toContain("named nothing");
  expect(first["Random localization"]).toMatch(/named Deployment \S*(time|hello)-service/);
});

test("statistical agents find a fault that is in their telemetry, and nothing where nothing is wrong", async () => {
  const { episodes } = await report("statistical-1", {
    method: ["MKSMC-like", "PDiagnose-like"],
    model: "none",
    task: "detection",
    failures: ["network-delay", "none"],
    target: "time-service",
  });
  const outcomes = episodes.map(({ method, failure, outcome }) => `${method} ${failure} ${outcome}`);
  expect(outcomes.sort()).toEqual([
    "MKSMC-like network-delay solved",
    "MKSMC-like none solved",
    "PDiagnose-like network-delay solved",
    "PDiagnose-like none solved",
  ]);
  const located = await report("statistical-2", {
    method: ["PDiagnose-like", "RMLAD-like"],
    model: "none",
    task: "localization",
    failures: ["network-delay"],
    target: "time-service",
  });
  for (const { outcome, reason } of located.episodes) {
    expect(["solved", "not-solved"]).toContain(outcome);
    expect(reason).toMatch(/^named (nothing|Deployment \S+)/);
  }
});
