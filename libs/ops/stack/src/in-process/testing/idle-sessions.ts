import type { RangeClient } from "@microremed/range-client";
import type { State } from "@microremed/state";
import { expect } from "vitest";
import type { OutsideAgent } from "./outside-agent.ts";

const problem = "range@1/simple-micro-pod-config-error-hello-service-detection";

/** What idle sessions are tried against. */
export interface TriedRange {
  readonly client: Pick<RangeClient, "experiment">;
  readonly arenas: State["arenas"];
  readonly arenaCount: number;
}

/**
 * One agent opens twice as many sessions as there are arenas, gets a problem in each arena and asks for nothing more; `beat`: it sends
 * heartbeats. Another agent must get its problem, and no more arenas are given back than it needs.
 */
export async function letIdle(
  { client, arenas, arenaCount }: TriedRange,
  { idle, honest, beat }: { idle: OutsideAgent; honest: OutsideAgent; beat: boolean },
): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: 2 * arenaCount }, () => idle.open({ problem })));
  const held = async () => (await arenas.list()).filter(({ episode }) => episode !== null);
  expect(await held()).toEqual([]);
  const experiments = await Promise.all(
    sessions.map(async (id) => {
      await idle.ask(`/sessions/${id}/next`, { waitSeconds: 0 });
      return String((await idle.ask(`/sessions/${id}`)).body["experiment"]);
    }),
  );
  const episodes = async () =>
    (await Promise.all(experiments.map((id) => client.experiment(id)))).flatMap((one) => one.episodes);
  const solving = async () => (await episodes()).filter(({ state }) => state === "solving").length;
  await expect.poll(solving, { timeout: 60_000 }).toBe(arenaCount);
  const heart = setInterval(() => {
    if (beat) for (const id of sessions) void idle.ask(`/sessions/${id}/heartbeat`, {});
  }, 100);
  try {
    for (const id of sessions) void idle.ask(`/sessions/${id}/next`, { waitSeconds: 0 });
    const own = await honest.open({ problem, reveal: "outcome" });
    const given = await honest.next(own);
    await honest.call(own, given, "submit", { anomaly: true });
    expect(await honest.next(own)).toMatchObject({ status: "done", previous: { outcome: "solved" } });
  } finally {
    clearInterval(heart);
  }
  const trials = (await episodes()).flatMap(({ earlier = [] }) => earlier);
  expect(trials.map(({ error }) => error?.code)).toEqual(["arena-given-back"]);
  for (const id of sessions) await idle.ask(`/sessions/${id}`, undefined, "DELETE");
  await expect.poll(async () => (await held()).length, { timeout: 60_000 }).toBe(0);
}
