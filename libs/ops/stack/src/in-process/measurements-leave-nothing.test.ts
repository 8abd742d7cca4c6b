import { injectFailure, prepareArena } from "@microremed/arena";
import { kinds } from "@microremed/cluster";
import { noFailure } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { firstPart, proveInjection } from "@microremed/verification";
import { expect, test } from "vitest";
import { questionsOf } from "./testing/harness-words.ts";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("simple-micro");
/** Cluster time of the proofs: each takes its 10 s and what its checks take. */
const proofsMs = 1_200_000;

/** What every tool answers about a healthy system; before that, the symptom of every fault may be looked for in it. */
async function answersAfter(isProven: boolean): Promise<Map<string, string>> {
  await using user = await aToolUser(catalogue, environment);
  const { arena, cluster, call } = user;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const [target = ""] = environment.targets;
  const control = { failure: noFailure, target, concealment: "neutral" } as const;
  const { baseline } = await injectFailure(arena, { ...control, timeoutSeconds: 60 });
  if (baseline === null) throw new Error("nothing was measured");
  const until = (await cluster.clock.now()) + proofsMs;
  if (isProven) {
    for (const oracle of catalogue.oracles.all().filter(({ symptom }) => symptom)) {
      const { context, judged } = firstPart({ ...arena, concealment: "neutral" }, control, catalogue);
      const status = { present: true, injected: true, pods: [], expiresAt: null, note: "" };
      const fault = { ...judged.fault, status: async () => status };
      const proof = await proveInjection(context, { ...judged, fault, symptom: oracle }, baseline, 10);
      expect([oracle.name, proof.status]).toEqual([oracle.name, "no-effect"]);
    }
  }
  await cluster.clock.sleep(until - (await cluster.clock.now()));
  expect(await cluster.clock.now()).toBe(until);
  const pods = await cluster.list(kinds.pod, { namespace: arena.namespace });
  const names = pods.map(({ metadata }) => metadata.name);
  const answers = new Map<string, string>();
  for (const [tool, args] of questionsOf(environment, names)) {
    const { answer } = await call(tool, args, baseline.takenAt);
    answers.set(`${tool} ${JSON.stringify(args)}`, answer);
  }
  return answers;
}

test("no answer of any tool shows that the symptom of a fault was looked for", async () => {
  const [measured, alone] = [await answersAfter(true), await answersAfter(false)];
  expect(alone.size).toBeGreaterThan(40);
  expect(measured).toEqual(alone);
});
