import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { targetText } from "@microremed/catalogue";
import { sampleOf } from "@microremed/catalogue/testing";
import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { declaredIn, findings, questionsOf } from "./testing/harness-words.ts";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
/** A whole proof (WHOLE_PROOF=true) takes every fault. */
const faults = sampleOf("faults", catalogue.faults.all());

/**
 * What Chaos Mesh writes on the pods themselves in its pod-failure, with the image that it has taken away: it needs that to
 * end the fault, so it cannot be hidden.
 */
const onFailedPods = /chaos-mesh-\w+-pod-failure-|"manager": "chaos-controller-manager"/;

/** An environment on which a fault has targets, another one for the next fault, and the first of those targets. */
function placeOf(fault: (typeof faults)[number], turn: number) {
  const all = catalogue.environments.all().flatMap((environment) => {
    const [target] = fault.targets(environment);
    return target ? [{ environment, target: targetText(target) }] : [];
  });
  const place = all[turn % all.length];
  if (!place) throw new Error(`nothing can be a target of ${fault.name}`);
  return place;
}

const byEnvironment = Map.groupBy(
  faults.map((fault, turn) => ({ fault, ...placeOf(fault, turn) })),
  ({ environment }) => environment,
);

test("a whole proof asks every tool that reads, on every environment", () => {
  const places = catalogue.faults.all().map((fault, turn) => placeOf(fault, turn).environment.name);
  expect(new Set(places)).toEqual(new Set(catalogue.environments.names));
  const asked = catalogue.environments.all().flatMap((one) => questionsOf(one, ["a"]).map(([tool]) => tool));
  const observing = catalogue.tools.all().filter(({ kind }) => kind === "observe");
  // It reads nothing: acts-name-nothing.test.ts calls it.
  const names = observing.map(({ name }) => name).filter((name) => name !== "undo_last_action");
  expect(new Set(asked)).toEqual(new Set(names));
});

test.each([...byEnvironment])(
  "no answer of any tool names the harness or a fault, after any fault of %#",
  async (environment, incidents) => {
    await using user = await aToolUser(catalogue, environment);
    const { arena, cluster, call } = user;
    const { namespace } = arena;
    const found: string[] = [];
    let asked = 0;
    for (const { fault, target } of incidents) {
      const declared = declaredIn(environment, await fault.setting?.({ environment, namespace, target }));
      await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
      const incident = { failure: fault.name, target, concealment: "neutral", timeoutSeconds: 120 } as const;
      const body = await injectFailure(arena, incident);
      if (body.status !== "ok") throw new Error(`${fault.name} on ${target}: ${body.reason}`);
      const { baseline } = body;
      await cluster.clock.sleep(60_000);
      const pods = await cluster.list(kinds.pod, { namespace: arena.namespace });
      const names = pods.map(({ metadata }) => metadata.name);
      for (const [tool, args] of questionsOf(environment, names)) {
        const { replies, answer } = await call(tool, args, baseline.takenAt);
        const where = `${fault.name}: ${tool} ${JSON.stringify(args)}`;
        const texts = [answer, ...replies.map(({ output }) => output)];
        const all = texts.flatMap((text) => findings(where, text, declared));
        found.push(...all.filter((line) => fault.name !== "pod-fail" || !onFailedPods.test(line)));
        asked += replies.length;
      }
      await restoreArena(arena, { ...incident, baseline, timeoutSeconds: 900 });
    }
    expect(asked).toBeGreaterThan(40 * incidents.length);
    expect([...new Set(found)].slice(0, 30)).toEqual([]);
  },
);

test("the same search finds the words where they are", () => {
  for (const text of [
    "x: StressChaos",
    "cpu-stress",
    "CPUStress",
    "microremed.io/arena",
    "at /tmp/x",
    "a.ts:12",
  ])
    expect(findings("here", text), text).not.toEqual([]);
  expect(findings("here", "cart-0 1/1 Running 0 5m, kubectl get pods")).toEqual([]);
});
