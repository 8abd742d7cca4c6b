import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellPlaybook } from "@microremed/catalogue";
import { cleanOf, type ExperimentRequestInput } from "@microremed/contracts";
import { loadCatalogue } from "@microremed/registry";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-several-"));
const suite = join(dir.path, "suites/pairs@1");
await mkdir(suite, { recursive: true });
await writeFile(
  join(suite, "suite.yaml"),
  `name: pairs@1
description: two faults at a time
# The playbooks know them.
values: own
defaults: { tasks: [mitigation], information: { report: symptoms, concealment: neutral } }
problems:
  - id: pair
    environment: simple-micro
    incident:
      - { fault: pod-config-error, target: hello-service }
      - { fault: network-loss, target: time-service, at: 20 }
  - id: ends
    environment: simple-micro
    incident:
      - { fault: pod-config-error, target: hello-service }
      - { fault: pod-fail, target: time-service }
  - id: closed
    environment: simple-micro
    incident:
      - { fault: pod-config-error, target: hello-service }
      - { fault: network-policy-deny, target: time-service }
  - id: resources-last
    environment: simple-micro
    incident:
      - { fault: network-policy-deny, target: time-service }
      - { fault: pod-config-error, target: hello-service }
  - id: late
    environment: simple-micro
    tasks: [detection]
    incident:
      - { fault: network-delay, target: hello-service }
      - { fault: network-loss, target: hello-service, at: 20 }
`,
);
const catalogue = await loadCatalogue({ dirs: [dir.path] });
const range = await startInProcessRange({ catalogue, environments: ["simple-micro"], clusters: 2 });
afterAll(() => range[Symbol.asyncDispose]());

const pair = "pairs@1/pair";
const of = (name: string) => `kubectl -n simple-micro rollout status deployment/${name} --timeout=120s`;
const both = [
  "kubectl -n simple-micro rollout undo deployment/hello-service",
  of("hello-service"),
  "kubectl -n simple-micro rollout restart deployment/time-service",
  of("time-service"),
];

async function run(id: string, request: Omit<ExperimentRequestInput, "model">) {
  const asked = { id, model: "human", method: "Human", maxAttempts: 1, ...request };
  expect(await range.client.submit(asked)).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const [episode] = (await range.client.experiment(id)).episodes;
  if (!episode) throw new Error("there was no episode");
  return episode;
}

test("an incident of two faults is proven fault by fault, and repaired when both are gone", async () => {
  const playbook = shellPlaybook("both", both);
  const episode = await run("both", { problems: [pair], playbook });
  expect(episode).toMatchObject({ outcome: "remediated", restored: "reset" });
  const { injection } = episode;
  const [second] = injection?.further ?? [];
  expect(second).toMatchObject({
    failure: "network-loss",
    target: "time-service",
    verdict: { passed: true },
  });
  expect((second?.injectedAt ?? 0) - (injection?.injectedAt ?? 0)).toBeGreaterThanOrEqual(20_000);
});

test.each([
  ["the first", both.slice(0, 2), /time-service/],
  ["the second", both.slice(2), /limits|hello-service/],
])("a repair of %s fault alone is none", async (_, commands, why) => {
  const playbook = shellPlaybook("one", commands);
  const episode = await run(`only-${commands.length}-${String(_).slice(4)}`, { problems: [pair], playbook });
  expect(episode).toMatchObject({ outcome: "not-remediated", restored: "reset" });
  expect(episode.reason).toMatch(why);
});

test("who waits until another fault has ended by itself has not repaired it", async () => {
  const playbook = shellPlaybook("waits", ["sleep 1250", ...both.slice(0, 2)]);
  const timeouts = { playbookSeconds: 1800 };
  const episode = await run("ends", { problems: ["pairs@1/ends"], playbook, timeouts });
  expect(episode, episode.reason ?? "").toMatchObject({
    outcome: "not-remediated",
    reason: expect.stringContaining("pod-fail on time-service ended by itself"),
  });
});

test("ways around each target are tried, so that a policy may be a further fault", async () => {
  const first = shellPlaybook("first", both.slice(0, 2));
  const half = await run("closed-half", { problems: ["pairs@1/closed"], playbook: first });
  expect(half).toMatchObject({
    outcome: "not-remediated",
    reason: expect.stringContaining("reach: time-service: "),
    injection: { further: [{ verdict: { oracle: "reach", passed: true } }] },
  });
  const policy = "kubectl -n simple-micro delete networkpolicy time-service-isolation";
  const playbook = shellPlaybook("whole", [...both.slice(0, 2), policy]);
  const whole = await run("closed-whole", { problems: ["pairs@1/closed"], playbook });
  expect(whole, whole.reason ?? "").toMatchObject({ outcome: "remediated", restored: "reset" });
});

test("more resources are a clean repair of the fault that is in them, wherever it is in the incident", async () => {
  const problems = ["pairs@1/resources-last"];
  const policy = "kubectl -n simple-micro delete networkpolicy time-service-isolation";
  const more = (name: string) =>
    `kubectl -n simple-micro set resources deployment/${name} -c ${name} --limits=cpu=600m,memory=2000Mi`;
  const repaired = [policy, both[0] ?? "", of("hello-service")];
  const playbook = shellPlaybook("twice", [...repaired, more("hello-service"), of("hello-service")]);
  const clean = await run("resources-last", { problems, playbook });
  expect(clean.outcome, clean.reason ?? "").toBe("remediated");
  expect(cleanOf(clean), JSON.stringify(clean.damage)).toBe(true);
  const beside = shellPlaybook("beside", [...repaired, more("time-service"), of("time-service")]);
  expect(cleanOf(await run("resources-beside", { problems, playbook: beside }))).toBe(false);
});

test("two faults may hit one target, and an answer is graded against both", async () => {
  const request = { problems: ["pairs@1/late"], model: "reference/runbook", method: "ReAct" };
  const episode = await run("late", request);
  expect(episode).toMatchObject({ outcome: "solved", injection: { further: [{ failure: "network-loss" }] } });
});
