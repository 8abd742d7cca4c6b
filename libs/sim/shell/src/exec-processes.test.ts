import type { Process } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "./testing/create-shell.ts";

test("a stopped stressor keeps its memory and uses no CPU until it goes on", async () => {
  const { run, container } = createShell();
  const stressor: Process = {
    ...{ pid: 40, command: "stress-ng-cpu [run]", user: "root", startedAt: 0 },
    ...{ kind: "cpu-stressor", cpuDemand: 2, memoryBytes: 4 << 20 },
  };
  container.processes.push({ ...stressor });
  const state = async () => (await run(["sh", "-c", "cat /proc/40/stat"])).out.split(" ")[2];
  expect(await state()).toBe("R");
  await run(["kill", "-STOP", "40", "1"]);
  expect(container.processes.at(-1)).toEqual({ ...stressor, cpuDemand: 0, stoppedDemand: 2 });
  expect(await state()).toBe("T");
  await run(["sh", "-c", "kill -TSTP 40; kill -s CONT 40"]);
  expect(container.processes.at(-1)).toEqual(stressor);
  // PID 1 takes no such signal from inside its namespace.
  expect(container.processes[0]?.stoppedDemand).toBeUndefined();
  // All but PID 1 and the one that asks.
  await run(["sh", "-c", "kill -9 -1"]);
  expect(container.processes.map(({ pid }) => pid)).toEqual([1]);
});

test("kill ends a stressor with its workers, leaves PID 1 alone at SIGKILL, and stops a program that handles SIGTERM", async () => {
  const { run, world, container } = createShell((fresh) => ({
    ...(fresh.behaviour && { behaviour: { ...fresh.behaviour, runtime: "java" } }),
  }));
  world.create("stresschaos", "cpu", {
    selector: { labelSelectors: { app: "cart" } },
    mode: "all",
    stressors: { cpu: { workers: 3 } },
  });
  world.loop.advance(2000);
  const { out } = await run(["ps"]);
  expect(out.match(/stress-ng-cpu \[run\]/g)).toHaveLength(3);
  const parent = /^ *(\d+) .*stress-ng --cpu/m.exec(out)?.[1] ?? "";
  expect(await run(["kill", "-9", parent])).toMatchObject({ code: 0 });
  expect(container.processes.map((process) => process.kind)).toEqual(["main"]);
  expect((await run(["kill", "4242"])).err).toBe("kill: can't kill pid 4242: No such process\n");
  await run(["sh", "-c", "kill -9 1"]);
  expect(world.killed).toEqual([]);
  await run(["sh", "-c", "kill 1"]);
  expect(world.killed).toEqual(["cart/cart 143"]);
});

test("an exec dies with its container and when its client goes away", async () => {
  const { run, world } = createShell();
  world.loop.after(3000, "restart", () => world.restartContainer("cart"));
  const died = await run(["sh", "-c", "sleep 100; echo late"]);
  expect(died).toMatchObject({ code: 137, out: "" });
  const client = new AbortController();
  world.loop.after(3000, "leave", () => client.abort());
  expect((await run(["sleep", "100"], undefined, client.signal)).seconds).toBeLessThan(5);
});

test("SIGTERM lets toda take its mount back, SIGKILL leaves a dead one until the container is replaced", async () => {
  const injected = async () => {
    const shell = createShell();
    shell.world.create("iochaos", "x", {
      selector: { labelSelectors: { app: "cart" } },
      mode: "all",
      action: "latency",
      volumePath: "/data",
      delay: "1s",
    });
    shell.world.loop.advance(5000);
    const pid = (await shell.run(["pgrep", "toda"])).out.trim();
    expect(pid).toMatch(/^\d+$/);
    return { ...shell, pid };
  };
  const asked = await injected();
  expect(await asked.run(["kill", asked.pid])).toMatchObject({ code: 0 });
  expect(asked.container.ioFaults).toEqual([]);
  const shot = await injected();
  await shot.run(["sh", "-c", `kill -9 ${shot.pid}`]);
  expect((await shot.run(["dd", "if=/dev/zero", "of=/data/x", "bs=1k", "count=1"])).err).toContain(
    "Socket not connected",
  );
  shot.world.store.delete({ group: "chaos-mesh.org", resource: "iochaos" }, "shop", "x");
  shot.world.loop.advance(10_000);
  expect(shot.world.find("iochaos", "x")).toBeUndefined();
  expect((await shot.run(["ls", "/data"])).code).not.toBe(0);
  expect(shot.world.restartContainer("cart").ioFaults).toEqual([]);
});

/** Lets the container's programs run for a while. */
async function pass({ world, settle }: ReturnType<typeof createShell>, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    world.loop.advance(250);
    await settle();
  }
}

test("a program left in the background outlives its exec, is seen, and ends with its container", async () => {
  const shell = createShell();
  const { run, container, sandbox } = shell;
  const left = () => container.processes.filter(({ kind }) => kind === "exec").map(({ command }) => command);
  const script = 'note=late; (sleep 60; echo "$note" > /tmp/note) >/dev/null 2>&1 & echo now';
  expect(await run(["sh", "-c", script])).toMatchObject({ code: 0, out: "now\n" });
  expect(left()).toEqual([expect.stringContaining("sleep 60")]);
  expect((await run(["ps"])).out).toContain("sleep 60");
  await pass(shell, 61);
  expect(left()).toEqual([]);
  expect((await run(["cat", "/tmp/note"])).out).toBe("late\n");
  await run(["sh", "-c", "if true; then nohup sleep 600 >/dev/null 2>&1 & fi"]);
  expect(left()).toHaveLength(1);
  sandbox.containers.delete("cart");
  await pass(shell, 1);
  expect(left()).toEqual([]);
});

test("/proc shows each process with its parent and session, as a container's own shell reads it", async () => {
  const { run } = createShell();
  await run(["sh", "-c", "nohup sleep 600 >/dev/null 2>&1 &"]);
  const script = 'for s in /proc/[0-9]*/stat; do read -r a b c d e f rest < $s; echo "$a $b $d $f"; done';
  const { out } = await run(["sh", "-c", script]);
  expect(out.trim().split("\n")).toEqual([
    expect.stringMatching(/^1 \(\S+\) 0 1$/),
    "3 (sh) 1 3",
    "4 (sh) 0 4",
  ]);
  const { out: command } = await run(["cat", "/proc/3/cmdline"]);
  expect(command.replaceAll("\0", " ")).toMatch(/^sh -c cd '\/'\s+nohup sleep 600 /);
  expect((await run(["sh", "-c", "readlink /proc/3/exe"])).out).toBe("/usr/bin/sh\n");
  expect((await run(["cat", "/proc/99/stat"])).code).toBe(1);
});

test("an exec stays open for a program in the background that prints to it, or that it waits for", async () => {
  const { run } = createShell();
  for (const script of ["(sleep 5; echo a) &", "sleep 5 >/dev/null 2>&1 & wait"])
    expect((await run(["sh", "-c", script])).seconds, script).toBeGreaterThan(4.9);
});
