import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellPlaybook } from "@microremed/catalogue";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { loadCatalogue } from "@microremed/registry";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-flapping-"));
const suite = join(dir.path, "suites/flapping@1");
await mkdir(suite, { recursive: true });
const flap = "flap: { onSeconds: [40, 60], offSeconds: 50 }";
await writeFile(
  join(suite, "suite.yaml"),
  `name: flapping@1
description: faults that come and go, or begin while another acts
defaults: { tasks: [mitigation] }
problems:
  - { id: loss, environment: simple-micro, incident: [{ fault: network-loss, target: hello-service, ${flap} }] }
  - { id: cpu, environment: simple-micro, incident: [{ fault: cpu-stress, target: hello-service, ${flap} }] }
  - { id: fail, environment: simple-micro, incident: [{ fault: pod-fail, target: time-service, ${flap} }] }
  - id: twice
    environment: simple-micro
    incident:
      - { fault: network-delay, target: hello-service }
      - { fault: network-delay, target: time-service, at: 10 }
  - id: cascade
    environment: simple-micro
    incident:
      - { fault: network-loss, target: time-service, ${flap} }
      - { fault: cpu-stress, target: hello-service, after: 0, at: 30 }
`,
);
const catalogue = await loadCatalogue({ dirs: [dir.path] });
const range = await startInProcessRange({ catalogue, environments: ["simple-micro"], clusters: 2 });
afterAll(() => range[Symbol.asyncDispose]());

const restart = (name: string) => [
  `kubectl -n simple-micro rollout restart deployment/${name}`,
  `kubectl -n simple-micro rollout status deployment/${name} --timeout=120s`,
];

async function repair(problem: string, commands: readonly string[]) {
  const id = `${problem}-${commands.length}-${commands.join("").length}`;
  const request: ExperimentRequestInput = {
    problems: [`flapping@1/${problem}`],
    model: "human",
    method: "Human",
    maxAttempts: 1,
    playbook: shellPlaybook("repair", commands),
  };
  expect(await range.client.submit({ id, ...request })).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const [episode] = (await range.client.experiment(id)).episodes;
  if (!episode) throw new Error("there was no episode");
  return episode;
}

test.each([
  ["loss", "hello-service"],
  ["cpu", "hello-service"],
  ["fail", "time-service"],
])("%s that comes and goes is repaired by new pods, and by no rest of it", async (problem, target) => {
  const left = await repair(problem, ["true"]);
  expect(left, left.reason ?? "").toMatchObject({ outcome: "not-remediated", restored: "reset" });
  const repaired = await repair(problem, restart(target));
  expect(repaired, repaired.reason ?? "").toMatchObject({ outcome: "remediated", restored: "reset" });
  expect(repaired.injection?.expiresAt).toBeNull();
});

test("the same fault on two targets is repaired when both are", async () => {
  const half = await repair("twice", restart("hello-service"));
  expect(half).toMatchObject({ outcome: "not-remediated", restored: "reset" });
  const other = await repair("twice", ["true", ...restart("time-service")]);
  expect(other).toMatchObject({ outcome: "not-remediated", restored: "reset" });
  const whole = await repair("twice", [...restart("hello-service"), ...restart("time-service")]);
  expect(whole, whole.reason ?? "").toMatchObject({ outcome: "remediated", restored: "reset" });
});

test("a fault begins so long after another as the problem says, while that acts", async () => {
  const episode = await repair("cascade", [...restart("time-service"), ...restart("hello-service")]);
  expect(episode, episode.reason ?? "").toMatchObject({ outcome: "remediated", restored: "reset" });
  const { injection } = episode;
  const [second] = injection?.further ?? [];
  expect((second?.injectedAt ?? 0) - (injection?.injectedAt ?? 0)).toBeGreaterThanOrEqual(30_000);
});
