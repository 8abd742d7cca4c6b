import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import { appendLog } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createLogBook } from "./log-book.ts";
import { logStyleOf } from "./log-styles.ts";
import { startLogWriter } from "./log-writer.ts";

const plain = { follow: false, previous: false, timestamps: false };
const target = { namespace: "shop", pod: "cart", container: "cart" };
const never = new AbortController().signal;

function createLogWorld() {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  const container = sandbox?.containers.get("cart");
  if (!sandbox || !container) throw new Error("no container");
  const book = createLogBook(world);
  const say = (text: string, to = container): void =>
    appendLog(to, { at: world.loop.now(), stream: "stdout", text });
  const read = (options: object = {}): unknown => book.read(target, { ...plain, ...options }, never);
  return { world, book, container, say, read };
}

test("reads all, the tail, what is recent, and with timestamps", () => {
  const { world, say, read } = createLogWorld();
  for (const text of ["a", "b", "c"]) {
    say(text);
    world.loop.advance(10_000);
  }
  expect(read()).toBe("a\nb\nc\n");
  expect(read({ tailLines: 2 })).toBe("b\nc\n");
  expect(read({ tailLines: 0 })).toBe("");
  expect(read({ sinceSeconds: 15 })).toBe("c\n");
  expect(read({ sinceTime: "2026-01-01T00:00:10Z" })).toBe("b\nc\n");
  expect(read({ tailLines: 1, timestamps: true })).toBe("2026-01-01T00:00:20.000000000Z c\n");
  expect(read({ limitBytes: 3 })).toBe("a\nb");
});

test("keeps the log of the container before the last restart", () => {
  const { world, say, read } = createLogWorld();
  say("old");
  world.loop.advance(2000);
  say("new", world.restartContainer("cart"));
  expect([read(), read({ previous: true })]).toEqual(["new\n", "old\n"]);
});

test("keeps no more than its bound", () => {
  const { say, read } = createLogWorld();
  for (let line = 0; line < 1000; line++) say(String(line));
  const text = String(read());
  expect(text.split("\n")).toHaveLength(301);
  expect(text.endsWith("999\n")).toBe(true);
});

test("follows until the container ends", async () => {
  const { world, book, say } = createLogWorld();
  say("first");
  const lines = book.read(target, { ...plain, follow: true }, never);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const text of lines) seen.push(text);
  })();
  const step = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    world.loop.advance(300);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  await step();
  say("second");
  await step();
  expect(seen).toEqual(["first\n", "second\n"]);
  world.restartContainer("cart");
  await step();
  await reading;
});

test("programs log their start, a sample of their requests and trouble with their dependencies", () => {
  const { world, container, read } = createLogWorld();
  container.startupLeft = 1;
  using _writer = startLogWriter({
    ...world,
    traffic: {
      services: () => [
        { pod: "cart", workload: "cart", requestsPerSecond: 3, successRatio: 1, latencyMs: 20 },
      ],
      edges: () => [
        { from: "cart", to: "redis", requestsPerSecond: 3, successRatio: 0.4, latencyMs: 5000 },
        { from: "cart", to: "other", requestsPerSecond: 3, successRatio: 1, latencyMs: 5 },
      ],
    },
  });
  world.loop.advance(1000);
  expect(read()).toContain('"message":"starting"');
  expect(read()).not.toContain("listening");
  container.startupLeft = 0;
  world.loop.advance(10_000);
  expect(read()).toContain("listening on port 8080");
  expect(read()).toContain("request completed in 20.0 ms (3.0 requests/s)");
  expect(read()).toContain(
    "request to redis failed: deadline exceeded after 5000 ms (60% of calls in the last seconds)",
  );
  expect(read()).not.toContain("other");
});

test("C++ programs and nginx have formats of their own", () => {
  const { container, world } = createLogWorld();
  const sandbox = world.machine.sandboxes.values().next().value;
  if (!sandbox || !container.behaviour) throw new Error("no program");
  const at = new Date("2026-03-04T05:06:07.089Z");
  const said = (runtime: "cpp" | "nginx"): string => {
    const program = { ...container, behaviour: { ...container.behaviour, runtime } } as typeof container;
    const style = logStyleOf(program);
    return style?.line("info", style.ready(program, 1)[0] ?? "", at, sandbox) ?? "";
  };
  expect(said("cpp")).toBe("[2026-Mar-04 05:06:07.089000] <info>: (server.cpp) Listening on port 8080");
  expect(said("nginx")).toBe("2026/03/04 05:06:07 [notice] 1#1: start worker processes");
});

test.each(["python", "java", "node", "go"] as const)(
  "a %s program that listens on no port says none",
  (runtime) => {
    const { container } = createLogWorld();
    const program = {
      ...container,
      behaviour: { ...container.behaviour, runtime, listens: [] },
    } as typeof container;
    expect(logStyleOf(program)?.ready(program, 1).join("\n")).not.toMatch(/port/);
  },
);
