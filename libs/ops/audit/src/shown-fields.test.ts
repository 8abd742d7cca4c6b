import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { targetText } from "@microremed/catalogue";
import { aToolUser } from "@microremed/stack/in-process/testing";
import { expect, test } from "vitest";
import { fieldsOfInjection, type ShownChange, type ShownFault, shownChanges } from "./shown/shown-change.ts";
import { catalogue } from "./testing/entries.ts";

const environment = catalogue.environments.get("simple-micro");
const historySeconds = 180;

/** What a fault is made of beside the field that is named: a mount of the volume. */
const needed = ["pvc-shared-rwo: template.spec.containers[].volumeMounts[]"];

type User = Awaited<ReturnType<typeof aToolUser>>;

/** What the change log shows of an incident; empty: it had no effect. */
async function changesOf(
  { arena, cluster, call }: User,
  of: { readonly failure: string; readonly target: string; readonly noise?: readonly string[] },
): Promise<ShownChange[]> {
  const noise = (of.noise ?? []).map((name) => ({ noise: name, target: of.target, ago: 30, parameters: {} }));
  const incident = { ...of, noise, concealment: "neutral" } as const;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 });
  const body = await injectFailure(arena, {
    ...{ ...incident, askedAfter: 60, seed: "fields", historySeconds, timeoutSeconds: 120 },
  });
  const now = await cluster.clock.now();
  const { answer } = await call("diff_since", { since: "24h" }, now - historySeconds * 1000);
  const { baseline } = body;
  await restoreArena(arena, { ...incident, ...(baseline && { baseline }), timeoutSeconds: 1800 });
  return body.status === "ok" ? shownChanges(answer, now) : [];
}

test("a change log shows of faults what is wrong, and no field that only injections write", async () => {
  await using user = await aToolUser(catalogue, environment);
  const faults: ShownFault[] = [];
  for (const fault of catalogue.faults.all()) {
    const [target] = fault.targets(environment).map(targetText);
    if (fault.control || target === undefined) continue;
    const { objects } = fault.truth({ environment, target });
    // What changes no workload has no rollout.
    if (!objects.some(({ kind, field }) => kind === "Deployment" && field.startsWith("spec."))) continue;
    const changes = await changesOf(user, { failure: fault.name, target });
    faults.push({ fault: fault.name, changes, truth: objects.map(({ field }) => field) });
  }
  expect(faults.length).toBeGreaterThan(15);
  expect(faults.filter(({ changes }) => changes.length === 0).map(({ fault }) => fault)).toEqual([]);
  const harmless: ShownChange[] = [];
  for (const noise of catalogue.noises.all()) {
    const [target] = noise.targets?.(environment) ?? [];
    if (target === undefined) continue;
    harmless.push(...(await changesOf(user, { failure: "none", target, noise: [noise.name] })));
  }
  expect(fieldsOfInjection(faults, harmless)).toEqual(needed);
}, 3_600_000);
