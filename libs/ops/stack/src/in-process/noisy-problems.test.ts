import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellPlaybook } from "@microremed/catalogue";
import { attemptsOf, type ExperimentRequestInput, isUnclean } from "@microremed/contracts";
import { loadCatalogue } from "@microremed/registry";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-noisy-"));
const suite = join(dir.path, "suites/noisy@1");
await mkdir(suite, { recursive: true });
await writeFile(
  join(suite, "suite.yaml"),
  `name: noisy@1
description: harmless oddities
values: own
defaults:
  tasks: [mitigation]
  noise:
    - { noise: failed-job, ago: 60 }
    - { noise: harmless-rollout, target: time-service, ago: 30 }
    - { noise: warning-event, target: hello-service }
problems:
  - { id: broken, environment: simple-micro, incident: [{ fault: network-loss, target: hello-service }] }
  - { id: limits, environment: simple-micro, incident: [{ fault: pod-config-error, target: time-service }] }
  - id: later
    environment: simple-micro
    incident: [{ fault: network-loss, target: hello-service }]
    tasks: [mitigation, detection]
    noise: &later
      - { noise: limits-raised, target: time-service, ago: -20 }
      - { noise: service-protocol-named, target: time-service, ago: -30 }
    askedAfter: 50
  - { id: calm-later, environment: simple-micro, incident: [], tasks: [detection], noise: *later, askedAfter: 50 }
  - { id: calm, environment: simple-micro, incident: [], tasks: [detection, localization] }
`,
);
const catalogue = await loadCatalogue({ dirs: [dir.path] });
const range = await startInProcessRange({ catalogue, environments: ["simple-micro"], clusters: 2 });
afterAll(() => range[Symbol.asyncDispose]());

async function run(id: string, request: ExperimentRequestInput) {
  expect(await range.client.submit({ id, maxAttempts: 1, ...request })).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  return (await range.client.experiment(id)).episodes;
}

const kubectl = "kubectl -n simple-micro";
const restart = (name: string) => [
  `${kubectl} rollout restart deployment/${name}`,
  `${kubectl} rollout status deployment/${name} --timeout=120s`,
];
const undoNoise = [
  `${kubectl} delete job data-migration`,
  `${kubectl} rollout undo deployment/time-service`,
  `${kubectl} rollout status deployment/time-service --timeout=120s`,
];

const others = [
  "changed Deployment/time-service",
  "changed Job/data-migration",
  "disturbed Deployment/time-service",
];

test.each([
  ["nothing", ["true"], { outcome: "not-remediated" }, []],
  ["the noise alone", undoNoise, { outcome: "not-remediated" }, []],
  ["the failure alone", restart("hello-service"), { outcome: "remediated" }, []],
  ["both", [...undoNoise, ...restart("hello-service")], { outcome: "remediated" }, others],
])(
  "who repairs %s gets the verdict of the failure; to undo what others did is not asked for",
  async (what, commands, expected, undone) => {
    const playbook = shellPlaybook("try", commands);
    const request = { problems: ["noisy@1/broken"], model: "human", method: "Human", playbook };
    const [episode] = await run(`broken-${what.replaceAll(" ", "-")}`, request);
    expect(episode).toMatchObject({ ...expected, restored: "reset" });
    const verdict = episode && attemptsOf(episode).at(-1)?.verdict;
    const unclean = (verdict?.changes ?? [])
      .filter(isUnclean)
      .map(({ class: is, object }) => `${is} ${object}`);
    expect(unclean.toSorted()).toEqual(undone);
    if (expected.outcome === "remediated") expect(verdict?.clean).toBe(undone.length === 0);
  },
);

test("a failure in a workload that was rolled out harmlessly is rolled back to what it was with that", async () => {
  const back = [
    `${kubectl} rollout undo deployment/time-service`,
    `${kubectl} rollout status deployment/time-service --timeout=120s`,
  ];
  const playbook = shellPlaybook("back", back);
  const request = { problems: ["noisy@1/limits"], model: "human", method: "Human", playbook };
  const [episode] = await run("limits", request);
  expect(episode).toMatchObject({ outcome: "remediated", restored: "reset" });
});

test("what is harmless may come after the fault, and the question later still; neither is charged to anybody", async () => {
  const playbook = shellPlaybook("restart", restart("hello-service"));
  const request = { problems: ["noisy@1/later"], model: "human", method: "Human", playbook };
  const [episode] = await run("later", { ...request, task: "mitigation" });
  expect(episode).toMatchObject({ outcome: "remediated", restored: "reset" });
  const verdict = episode && attemptsOf(episode).at(-1)?.verdict;
  expect(verdict?.changes?.filter(isUnclean) ?? []).toEqual([]);
});

test.each(["later", "calm-later"])(
  "%s: the agent is asked so long after the fault, or after when it would be",
  async (id) => {
    const request = { problems: [`noisy@1/${id}`], method: "AlwaysYes", model: "none" };
    const [episode] = await run(`asked-${id}`, { ...request, task: "detection" });
    const { askedFrom = 0, injectedAt = 0 } = episode?.injection ?? {};
    expect(Math.abs((askedFrom - injectedAt) / 1000 - 50)).toBeLessThan(1);
  },
);

test("where nothing but noise is, nothing is wrong", async () => {
  const request = (method: string) => ({ problems: ["noisy@1/calm"], method, model: "none" });
  const no = await run("calm-no", { ...request("AlwaysNo"), task: "detection" });
  expect(no).toMatchObject([{ outcome: "solved", restored: "reset" }]);
  const yes = await run("calm-yes", { ...request("AlwaysYes"), task: "detection" });
  expect(yes).toMatchObject([{ outcome: "not-solved", restored: "reset" }]);
});
