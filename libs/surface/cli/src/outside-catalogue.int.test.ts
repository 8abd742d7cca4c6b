import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remedyPlaybook } from "@microremed/catalogue";
import { type EpisodeRecord, type ExperimentRequestInput, lastVerdictOf } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { planCases } from "@microremed/planner";
import type { RangeClient } from "@microremed/range-client";
import { builtInCatalogue, type Catalogue, loadCatalogue } from "@microremed/registry";
import { startStack } from "@microremed/stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { untilFinished } from "./follow.ts";
import { connectionTo } from "./local-stack.ts";
import { submitOrThrow } from "./submit.ts";

/** A user's catalogue: copied out of the repository, where no node_modules are to be found. */
const written = join(import.meta.dirname, "../../../../docs/examples/catalogue");
const resources = new AsyncDisposableStack();
let catalogue: Catalogue;
let client: RangeClient;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-outside-"));
  resources.defer(() => rm(dir, { recursive: true }));
  await cp(written, dir, { recursive: true });
  catalogue = await loadCatalogue({ dirs: [dir] });
  const clusters = { environments: ["corner-shop", "simple-micro"], count: 2, timeScale: 100, seed: 1 };
  const stack = resources.use(await startStack({ clusters, catalogueDirs: [dir], log: silentLogger }));
  client = resources.use(await connectClient(connectionTo(stack), silentLogger));
}, 120_000);

afterAll(() => resources.disposeAsync());

async function run(request: Partial<ExperimentRequestInput>): Promise<readonly EpisodeRecord[]> {
  const id = await submitOrThrow(client, {
    environment: "corner-shop",
    model: "reference/noop",
    method: "Human",
    failures: ["service-closed"],
    policy: "open",
    maxAttempts: 1,
    ...request,
  });
  await untilFinished(client, id, new AbortController().signal);
  return (await client.experiment(id)).episodes;
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

test("a fault, its oracle and its environment from outside make an episode that its repair ends", async () => {
  const [episode] = await run({ playbook: repair() });
  expect(episode, episode?.reason ?? "").toMatchObject({ target: "service/till", outcome: "remediated" });
  const oracles = episode && lastVerdictOf(episode)?.oracles.map(({ oracle }) => oracle);
  expect(oracles).toContain("answers-by-name");
  expect(episode?.injection?.verdict.oracle).toBe("answers-by-name");
});

test("doing nothing does not end it, as a suite from outside finds twice", async () => {
  const playbook = "- hosts: all\n  tasks:\n    - ansible.builtin.debug: { msg: nothing }\n";
  const episodes = await run({ failures: "corner@1", playbook });
  expect(episodes.map(({ failure, outcome }) => `${failure} ${outcome}`)).toEqual([
    "service-closed not-remediated",
    "service-closed not-remediated",
  ]);
});

test("our faults act on an environment from outside, and the one from outside on ours", async () => {
  const [ours] = await run({ failures: ["cpu-stress"], playbook: "- hosts: all\n  tasks: []\n" });
  expect(ours?.injection?.verdict).toMatchObject({ oracle: "cpu", passed: true });
  const [theirs] = await run({ environment: "simple-micro", playbook: "- hosts: all\n  tasks: []\n" });
  expect(theirs?.injection?.verdict).toMatchObject({ oracle: "answers-by-name", passed: true });
});

test("entries from outside change no published case and draw, and are refused by a range without them", async () => {
  const before = await builtInCatalogue();
  const micro = before.environments.get("simple-micro");
  for (const failures of ["easy", "hard@1", { random: 40 }]) {
    const request = { failures, seed: 1 };
    expect(planCases(request, micro, catalogue)).toEqual(planCases(request, micro, before));
  }
  expect(() => planCases({ failures: ["service-closed"], seed: 1 }, micro, before)).toThrow(/service-closed/);
});
