import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runPlaybook, startWarmRunner, type WarmRunner } from "@microremed/ansible/sandboxed";
import { silentLogger } from "@microremed/core";
import { runProbe } from "@microremed/kubectl/sandboxed";
import { createPolicyRegistry } from "@microremed/policies";
import { runConfined, type Sandbox } from "@microremed/sandbox";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { startSimCluster } from "@microremed/simcluster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EscapeCase, escapeCases } from "./escape-case.ts";
import { canary, startWorld, type World } from "./world.ts";

const { best: detected, none: plain } = await sandboxesHere();
const isComplete = detected.kind === "bubblewrap";
const cases = escapeCases();
const policy = createPolicyRegistry().get("guarded");
/** Beyond its deadline, until all its processes are gone. On a busy machine that takes its time. */
const GRACE_SECONDS = 10;

async function aWorld(): Promise<{ world: World } & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 1, environments: [] }));
  const world = stack.use(await startWorld(sim));
  return { world, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

let surroundings: Awaited<ReturnType<typeof aWorld>>;
let warm: WarmRunner;
beforeAll(async () => {
  surroundings = await aWorld();
  warm = startWarmRunner({ log: silentLogger, sandbox: detected });
  await warm.ready;
});
afterAll(async () => {
  await warm?.[Symbol.asyncDispose]();
  await surroundings?.[Symbol.asyncDispose]();
});

/** How a case is run. */
interface Way {
  readonly sandbox: Sandbox;
  readonly warm?: WarmRunner;
  /** As in earnest: what the guard refuses is not run, the rest is, for its whole time. */
  readonly guard?: PlaybookGuard;
}

/** What every playbook of an episode with this policy is run with. */
const guard = { policyName: "guarded", policy, namespace: "arena" };
type PlaybookGuard = typeof guard;

interface Trial {
  readonly status: string;
  readonly output: string;
}

/** Whether the guard has not let it run. */
const refused = ({ status }: Trial): boolean => ["rejected", "refused"].includes(status);

/** Runs a case for as long as it takes, without the guard if the way has none. */
async function run(
  one: EscapeCase,
  world: World,
  mark: string,
  { sandbox, warm, guard }: Way,
): Promise<Trial> {
  const text = world.fill(one.text, mark);
  const common = { timeoutMs: one.seconds * 1000, log: silentLogger, sandbox };
  if (one.kind === "playbook")
    return runPlaybook({
      ...common,
      playbook: text,
      kubeconfig: world.kubeconfig,
      warm,
      ...(guard && { guard }),
    });
  const kubeconfig = world.probeKubeconfig;
  const end = await runConfined({ ...common, argv: ["/bin/bash", "-c", text], files: {}, kubeconfig });
  return { status: end.exitCode === 0 ? "ok" : "failed", output: end.output };
}

/** Runs a case as it is run in earnest, for as long as it takes to be stopped by its text alone. */
function guarded(one: EscapeCase, world: World): Promise<Trial> {
  const text = world.fill(one.text, "1");
  const common = { timeoutMs: 1, log: silentLogger, sandbox: detected };
  return one.kind === "playbook"
    ? runPlaybook({ ...common, playbook: text, kubeconfig: world.kubeconfig, guard })
    : runProbe({ ...common, command: text, kubeconfig: world.probeKubeconfig });
}

/** Programs that run anywhere on this machine with the mark as an argument, after a while in which they may end. */
async function outlived(mark: string): Promise<string[]> {
  for (let rounds = 0; ; rounds++) {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
    );
    const left = lines.filter((line) => line.split("\0").includes(mark));
    if (left.length === 0 || rounds >= 50) return left.map((line) => `outlived its run: ${line}`);
    await sleep(100);
  }
}

/** What proves that a case got out. */
async function escapesOf(one: EscapeCase, index: number, world: World, way: Way): Promise<string[]> {
  const mark = `8640${index}.${process.pid}`;
  const startedAt = performance.now();
  const trial = await run(one, world, mark, way);
  const seconds = (performance.now() - startedAt) / 1000;
  const proof = one.escaped === undefined ? null : new RegExp(one.escaped).exec(trial.output);
  return [
    ...(trial.output.includes(canary) ? ["it printed a secret"] : []),
    ...(proof ? [`it printed ${proof[0]}`] : []),
    ...(one.status === undefined || refused(trial) || trial.status === one.status
      ? []
      : [`it ended ${trial.status}`]),
    ...(seconds > one.seconds + GRACE_SECONDS ? [`it took ${seconds.toFixed(1)} s`] : []),
    ...(await outlived(mark)),
    ...(await world.damage()),
  ];
}

test("the corpus holds at least sixty cases, each with a name of its own", () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

test("what is taken for an escape is one: without a sandbox it happens", async () => {
  await using open = await aWorld();
  const without = async (name: string): Promise<string[]> => {
    const one = cases.find((candidate) => candidate.name === name);
    return one ? escapesOf(one, 0, open.world, { sandbox: plain }) : [];
  };
  expect(await without("the harness's repository")).toContain("it printed seen-42");
  expect(await without("a key file that anybody on the host may read")).toContain("it printed a secret");
  expect(await without("a service on the loopback, by shell")).toContain(
    "the service on the loopback was reached",
  );
  expect(await without("a file where anybody may write")).toContain("the file here was written on the host");
});

/** Playbooks are run by either of the two that run them; the numbers make their processes known. */
const runs = cases
  .flatMap((one) => (one.kind === "playbook" ? [true, false] : [false]).map((isWarm) => ({ ...one, isWarm })))
  .map((one, number) => ({ ...one, number, by: one.isWarm ? "warm" : "plain" }));

describe.runIf(isComplete)("without the guard", { concurrent: true }, () => {
  test.each(runs)("$group: $name ($by)", async ({ number, isWarm, ...one }) => {
    const way = isWarm ? { sandbox: detected, warm } : { sandbox: detected };
    expect(await escapesOf(one, number, surroundings.world, way)).toEqual([]);
  });
});

const hostile = runs.filter(({ group }) => group === "hostile");

test("every hostile playbook is run by both runners", () => {
  expect(hostile.length).toBeGreaterThanOrEqual(16);
  expect(hostile.filter(({ isWarm }) => isWarm)).toHaveLength(hostile.length / 2);
});

describe.runIf(isComplete)("with the guard", { concurrent: true }, () => {
  test.each(hostile)("$group: $name ($by)", async ({ number, isWarm, ...one }) => {
    const way = { sandbox: detected, guard, ...(isWarm && { warm }) };
    expect(await escapesOf(one, runs.length + number, surroundings.world, way)).toEqual([]);
  });
});

// What the guard lets pass of the others runs exactly as above, so only its word is asked for here.
test("the guard stops most of them before they run, and says where and why", async () => {
  const stopped: string[] = [];
  for (const one of cases) {
    const { status, output } = await guarded(one, surroundings.world);
    if (refused({ status, output })) {
      stopped.push(one.name);
      expect(output.length).toBeGreaterThan(20);
    }
    expect(output).not.toContain(canary);
  }
  expect(stopped.length).toBeGreaterThan(cases.length * 0.7);
  expect(cases.map(({ name }) => name).filter((name) => !stopped.includes(name))).toMatchInlineSnapshot(`
    [
      "secrets of all namespaces",
      "another user's name",
      "the system's own files",
      "the playbook, inventory and configuration changed while they run",
      "a callback plugin beside the playbook",
      "a missing program as the reason",
      "a privileged pod that reads its node",
      "a pod with the account of another",
      "kubectl proxy for every client",
      "plug-ins of kubectl and helm",
      "an action plug-in in Ansible's own process",
      "a template without end",
      "a template of huge size",
      "system calls that no repair needs",
      "sockets that leave the network namespace or reach into the kernel",
      "a datagram to the host",
      "the API server's own proxies",
      "a service with an external name, an endpoint of one's own",
      "a daemon of a task",
      "a child that keeps the output open",
      "a fork bomb from a task",
      "output without end from a task",
      "a sleep without end",
      "the environment of every process",
      "a key file that anybody on the host may read",
      "everything that can be read",
      "credentials where tools keep them",
      "password hashes",
      "memory of the kernel and of the machine",
      "the token that the run itself was given, in its output",
      "a billion laughs",
      "a list in itself",
      "a key twice, and merged in",
    ]
  `);
});
