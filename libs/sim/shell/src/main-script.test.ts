import { createRng } from "@microremed/core";
import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createMainScripts } from "./main-script.ts";
import { createComputingTracker } from "./track-computing.ts";

/** A container whose main process is `sh -c SCRIPT`, or a command, with time that goes on. */
function start(
  script: string | readonly string[],
  {
    stays = true,
    options = "-c",
    files = {},
  }: { stays?: boolean; options?: string; files?: Record<string, string> } = {},
) {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  const fresh = sandbox?.containers.get("cart");
  if (!sandbox || !fresh) throw new Error("no container");
  const container = world.loop.keep<ContainerRuntime>({
    ...fresh,
    image: "busybox",
    behaviour: undefined,
    command: typeof script === "string" ? ["sh", options, script] : script,
    logs: world.loop.keep([]),
  });
  sandbox.containers.set("cart", container);
  for (const [path, text] of Object.entries(files)) container.files.set(path, Buffer.from(text));
  const network = {
    tcpConnect: () => ({ ok: true, elapsedMs: 1, error: "" }),
    httpGet: () => ({ ok: true, elapsedMs: 1, error: "", status: 200 }),
    ping: () => ({ ok: true, elapsedMs: 1, error: "" }),
    resolve: () => [],
    dialAtStart: () => undefined,
    callsOfJob: () => [],
    callOfJob: () => ({ ok: true, elapsedMs: 1, error: "" }),
    execProbe: () => ({ ok: true, elapsedMs: 1, error: "" }),
  };
  const happened: string[] = [];
  const computing = createComputingTracker(world.loop);
  let working = 0;
  const run = createMainScripts(
    {
      background: () => {},
      onComputing: computing.onComputing,
      loop: world.loop,
      machine: world.machine,
      network,
      rng: createRng(5),
      nodeMemory: () => 2 ** 30,
      availableMemory: () => 2 ** 30,
      killContainer: () => {},
    },
    async (work) => {
      working += 1;
      await work().finally(() => {
        working -= 1;
      });
    },
  );
  const stop = run({
    sandbox,
    container,
    staysInUnknown: stays,
    serves: () => happened.push("serves"),
    ended: (code) => happened.push(`ended ${code}`),
    unknown: () => happened.push("unknown"),
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 400 && (turn < 3 || working > 0); turn += 1)
      await (computing.elsewhere() ?? new Promise((resolve) => setImmediate(resolve)));
  };
  const pass = async (ms: number): Promise<void> => {
    await settle();
    for (let left = ms; left > 0; left -= 250) {
      world.loop.advance(Math.min(250, left));
      await settle();
    }
  };
  const printed = async (): Promise<string[]> => {
    await settle();
    await container.printUntil?.(world.loop.now());
    return container.logs.map(({ text }) => text);
  };
  return { world, container, happened, stop, pass, printed };
}

test("a loop prints on the cluster's time, when its log is read", async () => {
  const { world, container, pass, printed } = start("while true; do echo x; date; sleep 10; done");
  await pass(25_000);
  expect(container.logs).toEqual([]);
  expect(await printed()).toEqual([
    "x",
    "Thu Jan  1 00:00:00 UTC 2026",
    "x",
    "Thu Jan  1 00:00:10 UTC 2026",
    "x",
    "Thu Jan  1 00:00:20 UTC 2026",
  ]);
  const [first, last] = [container.logs[0]?.at, container.logs.at(-1)?.at];
  expect((last ?? 0) - (first ?? 0)).toBe(20_000);
  world.loop.advance(9000);
  expect(await printed()).toHaveLength(8);
});

test("a counter that was not read for days goes on where it would be", async () => {
  const { world, container, printed } = start(
    'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done',
  );
  await printed();
  world.loop.advance(10 * 86_400_000);
  const lines = await printed();
  expect(lines).toHaveLength(300);
  expect(lines.at(-1)).toBe("864000: Sun Jan 11 00:00:00 UTC 2026");
  expect(container.logs.at(-1)?.at).toBe(world.loop.now());
});

test("a loop without a wait is held to a bounded number of rounds", async () => {
  const { world, printed } = start("while :; do echo x; done");
  await printed();
  world.loop.advance(3_600_000);
  expect(await printed()).toHaveLength(300);
});

test.each([
  ["for i in 1 2 3; do echo $i; sleep 2; done; exit 4", ["1", "2", "3"], "ended 4"],
  ["echo a; sleep 3; false || echo b; ! true; echo $?", ["a", "b", "1"], "ended 0"],
  ["i=0; until [ $i -eq 3 ]; do i=$((i+1)); sleep 1; done; echo $i", ["3"], "ended 0"],
  [
    "while true; do echo once; sleep 1; break; done; if sleep 1; then echo after; fi",
    ["once", "after"],
    "ended 0",
  ],
  ["for i in 1 2; do sleep 1; if [ $i = 1 ]; then continue; fi; echo $i; done", ["2"], "ended 0"],
  ["f() { echo in f $1; }; while sleep 1; do f x; exit 3; done", ["in f x"], "ended 3"],
  ["echo a | cat; date > /tmp/f; wc -l < /tmp/f; sleep 1; echo $(ls /tmp)", ["a", "1", "f"], "ended 0"],
  ["set -e; sleep 1; false; echo never", [], "ended 1"],
  ["false; echo a; set -euo pipefail; sleep 1; false; echo never", ["a"], "ended 1"],
  ["set -u -o errexit && sleep 1; false; echo never", [], "ended 1"],
  ["set -e; sleep 1; set +e; false; echo on", ["on"], "ended 0"],
  ["trap 'exit 0' TERM; sleep 1; printf 'no end'", [], "ended 0"],
  ["trap 'echo bye' EXIT TERM; echo hi; sleep 1; exit 3", ["hi", "bye"], "ended 3"],
  ["set -e; f() { echo bye $?; }; trap f EXIT; sleep 1; false; echo never", ["bye 1"], "ended 1"],
  ["trap 'exit 5' EXIT; sleep 1", [], "ended 5"],
  ["trap 'echo bye' EXIT; sleep 1; trap - EXIT; echo hi", ["hi"], "ended 0"],
])("runs to its end: %s", async (script, lines, end) => {
  const { happened, pass, printed } = start(script);
  await pass(10_000);
  expect(await printed()).toEqual(lines);
  expect(happened).toEqual([end]);
});

test("what is not known runs on as a server, and what came before it is printed", async () => {
  for (const [script, came] of [
    ["echo up; tail -f /dev/null", []],
    ["echo up; sleep infinity", []],
    ["echo up; frobnicate --serve", ["serves"]],
    ["echo up; exec frobnicate --serve", ["serves"]],
    ["echo up; exec cat /none", ["ended 1"]],
    ["echo up; nc -lk -p 9000", ["serves"]],
    ["echo up; python3 app.py", ["ended 127"]],
    ["echo up; cat /none && frobnicate", ["ended 1"]],
    ["echo up; if true; then frobnicate; fi", ["serves"]],
    ["echo up; echo x | frobnicate", ["serves"]],
  ] as const) {
    const { happened, pass, printed } = start(script);
    await pass(5000);
    expect((await printed())[0]).toBe("up");
    expect(happened).toEqual(came);
  }
});

test("a script in a file, with its arguments, and without a shell before it", async () => {
  for (const command of [
    ["sh", "-e", "/scripts/run", "a b"],
    ["/scripts/run", "a b"],
  ]) {
    const { happened, pass, printed } = start(command, {
      files: { "/scripts/run": '#!/bin/sh\nsleep 1\necho "$1"\nexit 4\n' },
    });
    await pass(3000);
    expect(await printed()).toEqual(["a b"]);
    expect(happened).toEqual(["ended 4"]);
  }
});

test.each(["sleep 1 & wait", "read x; while true; do echo $x; done", "echo ("])(
  "leaves to others what it cannot run bit by bit: %s",
  async (script) => {
    const { happened, pass } = start(script);
    await pass(1000);
    expect(happened).toEqual(["unknown"]);
  },
);

test("commands that only compute are left to others", async () => {
  const { happened, pass } = start("echo hello", { stays: false });
  await pass(1000);
  expect(happened).toEqual(["unknown"]);
});

test("goes back with the cluster, a script that works as well as one that is only read", async () => {
  for (const script of [
    "i=0; while true; do echo $i; i=$((i+1)); sleep 1; done",
    "i=0; while true; do echo $i >> /tmp/f; tail -n 1 /tmp/f; i=$((i+1)); sleep 1; done",
  ]) {
    const { world, happened, pass, printed } = start(script);
    await pass(3500);
    expect(await printed()).toEqual(["0", "1", "2", "3"]);
    const restore = world.loop.save();
    await pass(2000);
    expect(await printed()).toEqual(["0", "1", "2", "3", "4", "5"]);
    restore();
    expect(await printed()).toEqual(["0", "1", "2", "3"]);
    await pass(1000);
    expect(await printed()).toEqual(["0", "1", "2", "3", "4"]);
    expect(happened).toEqual([]);
  }
});

test("prints nothing more once it is stopped", async () => {
  for (const script of [
    "while true; do echo x; sleep 1; done",
    "while true; do ls /tmp; echo x; sleep 1; done",
  ]) {
    const { world, stop, pass, printed } = start(script);
    await pass(2500);
    stop?.();
    await pass(5000);
    world.loop.advance(10_000);
    expect(await printed()).toEqual(["x", "x", "x"]);
  }
});
