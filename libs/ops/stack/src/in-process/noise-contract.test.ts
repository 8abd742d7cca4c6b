import { delimiter } from "node:path";
import { injectFailure, prepareArena, readInventory, readRecord, restoreArena } from "@microremed/arena";
import {
  changedFields,
  drawnParameters,
  type Environment,
  isSameField,
  keepsData,
  logOfNoise,
  type Noise,
  type ObjectRef,
} from "@microremed/catalogue";
import { sampleOf } from "@microremed/catalogue/testing";
import { kinds } from "@microremed/cluster";
import { noFailure } from "@microremed/contracts";
import { createRng } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { afterAll, expect, test } from "vitest";
import { findings, questionsOf } from "./testing/harness-words.ts";
import { observeAll } from "./testing/prove-evidence.ts";
import { aToolUser } from "./testing/tool-user.ts";

/** Directories of users' entries that are tested too. */
const dirs = (process.env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");
const catalogue = await loadCatalogue({ dirs });

type User = Awaited<ReturnType<typeof aToolUser>>;
const users = new Map<string, Promise<User>>();
afterAll(async () => {
  for (const user of users.values()) await (await user)[Symbol.asyncDispose]();
});

/** One arena for each environment: every noise must leave it as it was. */
function userOf(environment: Environment): Promise<User> {
  const known = users.get(environment.name);
  const user = known ?? aToolUser(catalogue, environment);
  users.set(environment.name, user);
  return user;
}

/** Without a proof of a noise a sample of them is placed, each on one environment, another one in turn. */
const isWhole = process.env["WHOLE_PROOF"] === "true";

const places = sampleOf("noises", catalogue.noises.all()).flatMap((noise, turn) => {
  const possible = catalogue.environments.all().flatMap((environment) => {
    const targets = noise.targets?.(environment);
    const target = targets ? targets[0] : "";
    return target === undefined
      ? []
      : [{ name: noise.name, on: environment.name, noise, environment, target }];
  });
  return isWhole ? possible : possible.filter((_, i) => i === turn % possible.length);
});

/** What a text says, without times, ages, addresses and other numbers. */
const linesOf = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/[0-9]+/g, "0").trim());

/** Kubernetes' own words that contain one of ours. */
const ofKubernetes = /\bPodFailed\b|failedJobsHistoryLimit/g;

const wordsIn = (text: string): string[] =>
  findings("", text.replaceAll(ofKubernetes, "")).map((line) => line.replace(/[0-9]+/g, "0"));

const known = new Map<string, ReadonlySet<string>>();

/** Lines with a word of the harness that the system itself has, such as a path of its own. */
async function wordsOf(environment: Environment): Promise<ReadonlySet<string>> {
  const user = await userOf(environment);
  const before = known.get(environment.name);
  const now = before ?? new Set((await ask(user, questionsOf(environment, []), 0)).flatMap(wordsIn));
  known.set(environment.name, now);
  return now;
}

/** What an agent would ask first. */
function firstQuestions(decoys: readonly ObjectRef[]): readonly (readonly [string, object])[] {
  return [
    ["diff_since", { since: "24h" }],
    ["get_events", { limit: 200 }],
    ["exec_shell", { command: "kubectl get deployments,pods,jobs,cronjobs,configmaps" }],
    ...decoys.map(({ kind, name }) => ["describe", { of: `${kind.toLowerCase()}/${name}` }] as const),
  ];
}

async function ask(
  user: User,
  questions: readonly (readonly [string, object])[],
  from: number,
): Promise<string[]> {
  const answers: string[] = [];
  for (const [tool, args] of questions) {
    const { answer, replies } = await user.call(tool, args, from);
    answers.push(answer, ...replies.map(({ output }) => output));
  }
  return answers;
}

/** How many times the least of a metric its most was in the last minutes, where it rose most. */
async function riseOf(user: User, metric: string, decoys: readonly ObjectRef[]): Promise<number> {
  const rises = decoys.map(async ({ name }) => {
    const { answer } = await user.call("query_metrics", { metric, of: name, since: "2m", step: "5s" }, 0);
    const line = answer.split("\n").find((one) => one.startsWith(`${name}: `)) ?? "";
    const values = line.split(" ").slice(1).map(Number).filter(Number.isFinite);
    return Math.max(...values) / Math.min(...values);
  });
  return Math.max(...(await Promise.all(rises)));
}

/** What a noise says to change and the change log does not show at all, and what that shows and the noise does not say. */
function strangeChanges({ changes = [] }: Noise, decoys: readonly ObjectRef[], log: string): string[] {
  const shown = changedFields(log).filter(({ object }) =>
    decoys.some(({ kind, name }) => kind === object.kind && name === object.name),
  );
  const fields = shown.map(({ field }) => field).filter((field) => field !== "");
  const unsaid = fields.filter((field) => !changes.some((one) => isSameField(one, field)));
  const isShown = changes.length === 0 || shown.length > unsaid.length;
  return [...unsaid, ...(isShown ? [] : changes)];
}

async function leftIn({ arena, cluster }: User) {
  const { namespace } = arena;
  const [inventory, sets, events] = await Promise.all([
    readInventory(cluster, namespace),
    cluster.list(kinds.replicaSet, { namespace }),
    cluster.list(kinds.event, { namespace }),
  ]);
  return {
    objects: inventory.map(({ kind, metadata }) => `${kind}/${metadata.name}`).toSorted(),
    revisions: sets.map(({ metadata }) => metadata.name).toSorted(),
    messages: [...new Set(events.map(({ message }) => String(message)))],
  };
}

/** As an agent that was misled by it would: what was added is deleted, what was changed is put back. */
async function undo({ arena, cluster }: User, decoys: readonly ObjectRef[]): Promise<void> {
  const { namespace } = arena;
  const record = await readRecord(cluster, namespace);
  for (const { kind, name } of decoys) {
    const before = record?.objects.find((one) => one.kind === kind && one.metadata.name === name);
    const apiVersion = { Job: "batch/v1", CronJob: "batch/v1", ConfigMap: "v1" }[kind] ?? "apps/v1";
    if (!before) await cluster.delete({ apiVersion, kind }, namespace, name);
    else await cluster.replace(before);
  }
}

test.each(places)(
  "$name: is seen on $on and harms nothing, is charged to no one, and is gone after a restore",
  async ({ noise, environment, target }: { noise: Noise; environment: Environment; target: string }) => {
    const user = await userOf(environment);
    const { arena, cluster } = user;
    const { namespace } = arena;
    await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 });
    const before = await leftIn(user);
    const plain = await wordsOf(environment);
    const place = { environment, target: target || environment.targets[0] || "" };
    const parameters = drawnParameters(noise, place, undefined, createRng(environment.name)) ?? {};
    const decoys = noise.decoys({ environment, target, parameters });
    expect(decoys.length, "decoys(): at least one object").toBeGreaterThan(0);
    const startedAt = await cluster.clock.now();
    const seenBefore = new Set((await ask(user, firstQuestions(decoys), startedAt)).flatMap(linesOf));

    const incident = {
      failure: noFailure,
      target: target || environment.targets[0] || "",
      concealment: "neutral",
      noise: [{ noise: noise.name, target, parameters, ago: 45 }],
      timeoutSeconds: 60,
    } as const;
    const body = await injectFailure(arena, incident);
    if (body.status !== "ok") throw new Error(body.reason);
    const { baseline, injection } = body;
    expect(injection.injectedAt - baseline.takenAt).toBeGreaterThanOrEqual(45_000);

    const seen = (await ask(user, firstQuestions(decoys), baseline.takenAt)).flatMap(linesOf);
    const fresh = seen.filter((line) => line !== "" && !seenBefore.has(line));
    const named = fresh.filter((line) =>
      decoys.some(({ name }) => line.includes(name.replace(/[0-9]+/g, "0"))),
    );
    if (noise.seenIn) expect(await riseOf(user, noise.seenIn, decoys)).toBeGreaterThan(1.5);
    else expect(named, `seen of it: ${fresh.slice(0, 10).join(" | ")}`).not.toEqual([]);

    const { answer: log } = await user.call("diff_since", { since: "24h" }, baseline.takenAt);
    expect(strangeChanges(noise, decoys, log), "`changes` and what the change log shows").toEqual([]);
    const kindsOfLines = [...log.matchAll(/^\d\d:\d\d:\d\d \S+ \((\w+)\): /gm)].map(([, kind]) => kind);
    expect(kindsOfLines.toSorted(), `\`logs\`: the kinds of its lines in ${log}`).toEqual(
      logOfNoise(noise).toSorted(),
    );

    const verify = (of: Pick<typeof body, "baseline" | "injection">) =>
      verifyRecovery(
        { ...arena, target: incident.target },
        judgedFault(catalogue, noFailure),
        { ...of, remedyAt: null },
        300,
      );
    const verdict = await verify(body);
    expect(verdict, `with it: ${verdict.reason}`).toMatchObject({ recovered: true, clean: true });

    const { step: taken } = await observeAll(user, environment, baseline.takenAt);
    expect(taken, "what the evidence of faults takes it for").toEqual([]);

    const pods = (await cluster.list(kinds.pod, { namespace })).map(({ metadata }) => metadata.name);
    const own = pods.filter((name) => decoys.some((one) => name.startsWith(one.name)));
    const said = await ask(user, questionsOf(environment, own), baseline.takenAt);
    const words = said.flatMap(wordsIn).filter((line) => !plain.has(line));
    expect([...new Set(words)].slice(0, 10)).toEqual([]);

    await undo(user, decoys);
    await cluster.clock.sleep(60_000);
    const undone = await verify(body);
    // On another workload than the incident's it is a change that was not asked for.
    expect(undone, `taken away by a remedy: ${undone.reason}`).toMatchObject({ recovered: true });

    const restored = await restoreArena(arena, { ...incident, baseline, timeoutSeconds: 1800 });
    // A remedy that has changed a store may have changed its data: it is deployed again.
    if (!keepsData(environment, target)) expect(restored).toMatchObject({ how: "reset" });
    const classes = new Set(restored.damage?.changes.map((change) => change.class));
    const harmless: readonly unknown[] = ["changed", "disturbed", "allowed"];
    expect([...classes].filter((one) => !harmless.includes(one))).toEqual([]);
    const after = await leftIn(user);
    expect(after.objects).toEqual(before.objects);
    expect(after.revisions).toEqual(before.revisions);
    expect(after.messages).toEqual([]);
    const record = await readRecord(cluster, namespace);
    expect(record?.noise).toBeUndefined();

    // A noise that comes after the fault does not wait until controllers are done with it; no one is charged for what they add.
    const [first] = incident.noise;
    const late = await injectFailure(arena, { ...incident, noise: [{ ...first, ago: -1 }], askedAfter: 60 });
    if (late.status !== "ok") throw new Error(late.reason);
    const lateVerdict = await verify(late);
    expect(lateVerdict, `placed late: ${lateVerdict.reason}`).toMatchObject({ recovered: true, clean: true });
    await restoreArena(arena, { ...incident, baseline: late.baseline, timeoutSeconds: 1800 });
  },
  600_000,
);
