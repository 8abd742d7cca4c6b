import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { builtInCatalogue, type Catalogue, loadCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRangeOptions, startInProcessRange } from "./start-in-process-range.ts";

/** A user's catalogue, which only some of a range's services were started with. */
const written = join(import.meta.dirname, "../../../../../docs/examples/catalogue");
const resources = new AsyncDisposableStack();
let full: Catalogue;
let ours: Catalogue;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-mixed-"));
  resources.defer(() => rm(dir, { recursive: true }));
  await cp(written, dir, { recursive: true });
  [full, ours] = await Promise.all([loadCatalogue({ dirs: [dir] }), builtInCatalogue()]);
});

afterAll(() => resources.disposeAsync());

const environments = ["corner-shop", "simple-micro"];
const request = {
  id: "mixed",
  environment: "simple-micro",
  model: "reference/runbook",
  failures: ["service-closed"],
  maxAttempts: 1,
};

/** The only episode of a request, and whether its arena may be used again. */
async function runIn(
  catalogues: InProcessRangeOptions["catalogues"],
  change: Partial<ExperimentRequestInput> = {},
): Promise<{ readonly episode: EpisodeRecord | undefined; readonly quarantined: string | null | undefined }> {
  await using range = await startInProcessRange({
    catalogue: full,
    environments,
    ...(catalogues && { catalogues }),
  });
  expect(await range.client.submit({ ...request, ...change })).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events("mixed", AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const [episode] = (await range.client.experiment("mixed")).episodes;
  const [arena] = await range.state.arenas.list();
  return { episode, quarantined: arena?.quarantined };
}

const lacks = (service: string, name: string): RegExp =>
  new RegExp(`the ${service}'s catalogue: there is no .*"${name}".*--catalogue.*CATALOGUE_DIRS`);

test("a scheduler without an entry refuses its request, with its name, and says where entries come from", async () => {
  await using range = await startInProcessRange({
    catalogue: full,
    environments,
    catalogues: { scheduler: ours },
  });
  const reply = await range.client.submit({ ...request, environment: "corner-shop" });
  expect(reply).toMatchObject({ status: "rejected" });
  if (reply.status !== "rejected") return;
  expect(reply.issues.map(({ path }) => path)).toEqual(["environment", "failures.0"]);
  for (const { message } of reply.issues)
    expect(message).toMatch(
      /"(corner-shop|service-closed)" is not known to the scheduler.*--catalogue.*CATALOGUE_DIRS/,
    );
});

test("an injector without the fault: the harness's error, and the arena is put in order", async () => {
  const { episode, quarantined } = await runIn({ injector: ours });
  expect(episode).toMatchObject({ outcome: "harness-error", steps: [], restored: "reset" });
  expect(episode?.error).toMatchObject({ code: "unknown-failure", details: { service: "injector" } });
  expect(episode?.reason).toMatch(lacks("injector", "service-closed"));
  expect(quarantined).toBe(null);
});

test("an injector without the environment: the harness's error", async () => {
  const { episode } = await runIn(
    { injector: ours },
    { environment: "corner-shop", failures: ["cpu-stress"] },
  );
  expect(episode).toMatchObject({ outcome: "harness-error", steps: [] });
  expect(episode?.reason).toMatch(lacks("injector", "corner-shop"));
});

test("a remediator without the agent: the harness's error, and the arena is restored", async () => {
  const agent = full.agents.names.find((name) => !ours.agents.has(name));
  const { episode, quarantined } = await runIn(
    { remediator: ours },
    { method: agent ?? "", failures: ["cpu-stress"] },
  );
  expect(episode).toMatchObject({ outcome: "harness-error", restored: "reset" });
  expect(episode?.reason).toMatch(lacks("remediator", agent ?? ""));
  expect(quarantined).toBe(null);
});

const playbook = "- hosts: all\n  tasks:\n    - ansible.builtin.debug: { msg: nothing }\n";

test("a verifier without the fault: the harness's error, whatever the agent did", async () => {
  const { episode, quarantined } = await runIn(
    { verifier: ours },
    { method: "Human", policy: "open", playbook },
  );
  expect(episode).toMatchObject({ outcome: "harness-error" });
  expect(episode?.reason).toMatch(lacks("verifier", "service-closed"));
  expect(quarantined).toBe(null);
});
