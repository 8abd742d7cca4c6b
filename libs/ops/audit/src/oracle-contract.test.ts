import { placeSetting, prepareArena } from "@microremed/arena";
import { arenaOn, openLocalWorld } from "@microremed/arena/testing";
import { type OracleVerdict, type Round, type SymptomVerdict, targetText } from "@microremed/catalogue";
import { type Kind, kinds } from "@microremed/cluster";
import { noFailure } from "@microremed/contracts";
import { firstPart, judgedFault, measureBaseline, startRound } from "@microremed/verification";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

const environment = catalogue.environments.get("simple-micro");
const target = "time-service";
const resources = new AsyncDisposableStack();
const inOrder = catalogue.oracles.all().toSorted((a, b) => a.cost - b.cost);
const verdicts = new Map<string, OracleVerdict>();
const symptoms = new Map<string, SymptomVerdict>();
let check: () => Promise<Round>;
let healthy: Round;
let empty: Round;

/** A healthy arena, measured with every oracle that there is; its disk is written to. */
beforeAll(async () => {
  const world = resources.use(openLocalWorld(environment));
  const arena = { ...arenaOn(world.cluster, environment, environment.namespace, catalogue), target };
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  // What only some faults bring, such as a CronJob, for the oracles that judge it.
  const settings = catalogue.faults
    .all()
    .filter((fault) => fault.setting && fault.targets(environment).map(targetText).includes(target))
    .map(({ name: failure }) => firstPart(arena, { failure, target }, catalogue));
  await placeSetting(arena, settings);
  const judged = { ...judgedFault(catalogue, noFailure), oracles: inOrder };
  const { values, edges = [], takenAt } = await measureBaseline(arena, judged);
  const compared = { baseline: values, edges, requestsBefore: undefined, since: takenAt };
  check = () => startRound({ ...arena, ...compared, resourcesMayDiffer: false });
  healthy = await check();
  for (const oracle of inOrder) {
    verdicts.set(oracle.name, await settled(oracle.name));
    const symptom = await oracle.symptom?.(healthy);
    if (symptom) symptoms.set(oracle.name, symptom);
  }
  // Now nothing is left of the system: whatever passes here does not check it.
  for (const kind of [kinds.cronJob, kinds.deployment, kinds.statefulSet, kinds.service] as Kind[]) {
    for (const { metadata } of await world.cluster.list(kind, { namespace: arena.namespace })) {
      await world.cluster.delete(kind, arena.namespace, metadata.name);
    }
  }
  await world.cluster.waitUntil(
    { what: "no pod to be left", timeoutMs: 300_000, namespace: arena.namespace, kinds: [kinds.pod] },
    (view) => (view.list(kinds.pod).length === 0 ? true : undefined),
  );
  empty = await check();
}, 300_000);

/** Samples of usage may be a few seconds away yet: a check in which they are missing is repeated. */
async function settled(name: string): Promise<OracleVerdict> {
  const oracle = catalogue.oracles.get(name);
  for (let tries = 0; ; tries++) {
    const verdict = await oracle.measure(healthy);
    if (verdict.passed || tries === 5) return verdict;
    await healthy.context.cluster.clock.sleep(15_000);
    healthy = await check();
  }
}

afterAll(() => resources.disposeAsync());

test.each(catalogue.oracles.names)("%s: passes on a healthy system, with what it measured", (name) => {
  const verdict = verdicts.get(name);
  expect(verdict, verdict?.reason).toMatchObject({ oracle: name, passed: true });
  expect(verdict?.measurements.length, "measurements").toBeGreaterThan(0);
  // A number that could not be measured fails an oracle: one that passes with a null checks nothing.
  const unmeasured = verdict?.measurements.filter(({ value }) => value === null);
  expect(unmeasured, "measurements without a value in a verdict that passed").toEqual([]);
});

test.each(catalogue.oracles.all().filter(({ symptom }) => symptom))(
  "$name: a healthy system has no symptom",
  ({ name }) => {
    const verdict = symptoms.get(name);
    expect(verdict, verdict?.reason).toMatchObject({ oracle: name, shows: false });
  },
);

test.each(catalogue.oracles.all())("$name: fails where nothing is left of the system", async (oracle) => {
  const verdict = await oracle.measure(empty);
  expect(verdict, verdict.reason).toMatchObject({ oracle: oracle.name, passed: false });
  expect(verdict.reason, "reason").not.toBe("");
});
