import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remedyPlaybook } from "@microremed/catalogue";
import { type EpisodeRecord, type ExperimentRequestInput, lastVerdictOf } from "@microremed/contracts";
import { scriptedClient } from "@microremed/llm/testing";
import { planCases } from "@microremed/planner";
import { builtInCatalogue, type Catalogue, loadCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";
import { playedBy } from "./testing/scripted-range.ts";

/** A user's catalogue: copied out of the repository, where no node_modules are to be found. */
const written = join(import.meta.dirname, "../../../../../docs/examples/catalogue");
const resources = new AsyncDisposableStack();
let catalogue: Catalogue;
let range: InProcessRange;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-outside-"));
  resources.defer(() => rm(dir, { recursive: true }));
  await cp(written, dir, { recursive: true });
  catalogue = await loadCatalogue({ dirs: [dir] });
  range = resources.use(
    await startInProcessRange({
      catalogue,
      environments: ["corner-shop", "simple-micro"],
      clusters: 2,
      models: playedBy(scripted),
    }),
  );
});

afterAll(() => resources.disposeAsync());

let count = 0;

async function run(request: Partial<ExperimentRequestInput>): Promise<readonly EpisodeRecord[]> {
  const id = `outside-${count++}`;
  const defaults = { environment: "corner-shop", model: "scripted", failures: ["service-closed"] };
  const reply = await range.client.submit({ id, ...defaults, policy: "open", maxAttempts: 1, ...request });
  expect(reply).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  return (await range.client.experiment(id)).episodes;
}

/** The first repair of the fault from outside, as a playbook. */
function repair(): string {
  const fault = catalogue.faults.get("service-closed");
  const environment = catalogue.environments.get("corner-shop");
  const workload = environment.workloads["till"];
  const [first] = fault.repairs;
  if (!first || !workload) throw new Error("the fault from outside has no repair");
  const where = { environment, namespace: environment.namespace, target: "service/till" };
  return remedyPlaybook(first, { ...where, name: "till", workload, container: "till" });
}

/** Reads one ConfigMap with the tool from outside, then repairs or answers. */
const scripted = scriptedClient("scripted", ({ messages, tools = [] }) => {
  const hasObserved = messages.some(({ role }) => role === "tool");
  if (!hasObserved) return ["get_config_map", { name: "kube-root-ca.crt" }];
  return tools.some((tool) => tool.name === "submit")
    ? ["submit", { kind: "Service", name: "till" }]
    : ["print_playbook", { playbook: repair() }];
});

const nothing = "- hosts: all\n  tasks:\n    - ansible.builtin.debug: { msg: nothing }\n";

test("fault, oracle, environment, agent and tool from outside make an episode that the repair ends", async () => {
  const [episode] = await run({ method: "Checklist" });
  expect(episode, episode?.reason ?? "").toMatchObject({ target: "service/till", outcome: "remediated" });
  expect(episode?.injection?.verdict.oracle).toBe("answers-by-name");
  const oracles = episode && lastVerdictOf(episode)?.oracles.map(({ oracle }) => oracle);
  expect(oracles).toContain("answers-by-name");
  expect(episode?.steps.map(({ kind, tool }) => `${kind} ${tool}`)).toEqual([
    "observe get_config_map",
    "act run_playbook",
  ]);
});

test("a task from outside asks for an answer and grades it by the ground truth of the fault", async () => {
  const [episode] = await run({ method: "Checklist", task: "affected" });
  expect(episode, episode?.reason ?? "").toMatchObject({ outcome: "solved" });
  expect(episode?.steps.at(-1)).toMatchObject({
    kind: "submit",
    arguments: { kind: "Service", name: "till" },
    result: { passed: true, score: 1 },
  });
});

test("doing nothing does not end it, as a suite from outside finds twice", async () => {
  const episodes = await run({ method: "Human", failures: "corner@1", playbook: nothing });
  expect(episodes.map(({ failure, outcome }) => `${failure} ${outcome}`)).toEqual([
    "service-closed not-remediated",
    "service-closed not-remediated",
  ]);
});

test("our faults act on an environment from outside, and the one from outside on ours", async () => {
  const [ours] = await run({ method: "Human", failures: ["cpu-stress"], playbook: nothing });
  expect(ours?.injection?.verdict).toMatchObject({ oracle: "cpu", passed: true });
  const [theirs] = await run({ method: "Human", environment: "simple-micro", playbook: nothing });
  expect(theirs?.injection?.verdict).toMatchObject({ oracle: "answers-by-name", passed: true });
});

test("entries from outside change no published case and draw, and are refused by a range without them", async () => {
  const before = await builtInCatalogue();
  const micro = before.environments.get("simple-micro");
  for (const failures of ["easy@1", "hard@1", { random: 40 }]) {
    const request = { failures, seed: 1 };
    expect(planCases(request, micro, catalogue)).toEqual(planCases(request, micro, before));
  }
  expect(() => planCases({ failures: ["service-closed"], seed: 1 }, micro, before)).toThrow(/service-closed/);
});
