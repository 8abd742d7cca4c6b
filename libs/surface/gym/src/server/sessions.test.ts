import { expect, test } from "vitest";
import { aGym, typed } from "../testing/a-gym.ts";
import { createMcpSessions } from "./mcp-sessions.ts";
import { createSessions } from "./sessions.ts";
import type { GymWorker } from "./start-workers.ts";

/** A gym of this process in the place of a thread's. */
function aWorker(gym: ReturnType<typeof aGym>): GymWorker & { generation: number } {
  return {
    generation: 0,
    call: async (method, given) => (gym[method] as (...args: readonly unknown[]) => never)(...given),
  };
}

const limits = { most: 2, idleMs: 60_000, resetSeconds: 600, stepSeconds: 600 };

test("there are no more episodes than there may be, forks included, and a closed one makes room", async () => {
  await using gym = aGym();
  const sessions = createSessions([aWorker(gym)], limits);
  const { observation } = await sessions.reset({ fault: "pod-fail", seed: 3, episode_id: "mine" });
  expect(observation.episode_id).toBe("mine");
  await expect(sessions.reset({ episode_id: "mine" })).rejects.toThrow(/there is an episode mine already/);
  await expect(sessions.fork("mine", 2)).rejects.toMatchObject({
    ...{ code: "too-many-requests", severity: "retryable" },
    message: expect.stringContaining("1 of 2 episodes are open and 2 more were asked for: close some"),
  });
  const [fork] = await sessions.fork("mine", 1);
  const id = fork?.observation.episode_id ?? "";
  expect(await sessions.take(id)).toEqual(fork);
  await expect(sessions.take(id)).rejects.toThrow(/each is taken once/);
  await expect(sessions.reset({ fault: "pod-fail" })).rejects.toMatchObject({ code: "too-many-requests" });
  await sessions.close(id);
  await sessions.reset({ fault: "pod-fail" });
  expect(sessions.capacity).toEqual({ active: 2, most: 2 });
  // What failed takes no place.
  await sessions.close("mine");
  await expect(sessions.reset({ fault: "no-such" })).rejects.toThrow(/no-such/);
  expect(sessions.capacity.active).toBe(1);
});

test("an episode that is not used expires, one that is used stays, and one of a thread that died is said to be lost", async () => {
  await using gym = aGym();
  let now = 0;
  const worker = aWorker(gym);
  const sessions = createSessions([worker], limits, () => now);
  const [used, idle] = [
    await sessions.reset({ fault: "pod-fail" }),
    await sessions.reset({ fault: "pod-fail" }),
  ].map(({ observation }) => observation.episode_id) as [string, string];
  now = 50_000;
  await sessions.step(used, typed("kubectl get pods"));
  now = 100_000;
  await sessions.sweep();
  expect(gym.counts.episodes).toBe(1);
  await expect(sessions.step(idle, typed("kubectl get pods"))).rejects.toMatchObject({
    ...{ code: "unknown-session", message: expect.stringMatching(/has expired.*reset begins another/) },
  });
  worker.generation++;
  await expect(sessions.state(used)).rejects.toThrow(/its thread ended; reset begins another/);
});

test.each([
  [{ fautl: "pod-fail" }, /fautl/],
  [{ seed: -1 }, /seed/],
  [{ seed: "1" }, /seed/],
  [{ fault: "pod-fail", suite: "easy@1" }, /at most one of suite, problem and fault/],
  [{ fault: "x".repeat(300) }, /fault/],
  [{ episode_id: "a b" }, /episode_id: 1 to 255 letters/],
  [{ max_attempts: 99 }, /max_attempts/],
  [{ parameters: { workers: 2 } }, /parameters: belong to a fault/],
  [{ fault: "cpu-stress", strength: "x", parameters: {} }, /in the place of a strength/],
  [{ fault: "cpu-stress", parameters: { wrokers: 2 } }, /parameters\.cpu-stress.*wrokers/],
  [{ problem: "x" }, /problems/],
  [[], /expected an object/],
  ["x", /expected an object/],
])("a reset with %j is refused by its field", async (given, words) => {
  await using gym = aGym();
  const sessions = createSessions([aWorker(gym)], limits);
  await expect(sessions.reset(given)).rejects.toThrow(words);
  expect(sessions.capacity.active).toBe(0);
});

test("sessions of MCP clients are bounded, expire, and end their episodes", async () => {
  await using gym = aGym();
  let now = 0;
  const sessions = createSessions([aWorker(gym)], limits);
  const kept = createMcpSessions(sessions, { most: 1, idleMs: 1_000 }, () => now);
  const id = kept.create();
  expect(() => kept.create()).toThrow(/1 MCP sessions are open/);
  const session = kept.get(id);
  const { observation } = await sessions.reset({ fault: "pod-fail" });
  if (session) session.episode = observation.episode_id;
  now = 2_000;
  await kept.sweep();
  expect([kept.get(id), gym.counts.episodes]).toEqual([undefined, 0]);
});

test("an episode in the middle of a step does not expire, however long the step takes", async () => {
  let now = 0;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const slow = { generation: 0, call: async (method: string) => (method === "step" ? promise : {}) };
  const sessions = createSessions([slow as unknown as GymWorker], { ...limits, idleMs: 1_000 }, () => now);
  await sessions.reset({ episode_id: "a" });
  const step = sessions.step("a", typed("true"));
  now = 60_000;
  await sessions.sweep();
  expect(sessions.capacity.active).toBe(1);
  resolve({});
  await step;
  await sessions.sweep();
  expect(sessions.capacity.active).toBe(1);
  now = 62_000;
  await sessions.sweep();
  expect(sessions.capacity.active).toBe(0);
});
