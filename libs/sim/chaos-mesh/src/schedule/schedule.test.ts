import { expect, test } from "vitest";
import { chaosRef } from "../model/refs.ts";
import { createChaosWorld } from "../testing/chaos-world.ts";
import { blockOf } from "./block-of.ts";
import { fires, parseChaosCron } from "./chaos-cron.ts";

const stress = {
  mode: "all",
  selector: { namespaces: ["shop"], labelSelectors: { app: "cart" } },
  stressors: { cpu: { workers: 1 } },
};
const every = (duration: string, rest: object = {}) => ({
  schedule: "@every 60s",
  type: "StressChaos",
  historyLimit: 2,
  stressChaos: { ...stress, duration },
  ...rest,
});

function scheduled(spec: object) {
  const world = createChaosWorld();
  world.addPod("cart-1");
  world.create("schedules", "nightly", spec);
  const children = () => world.store.list(chaosRef("stresschaos")).map(({ metadata }) => metadata.name);
  return { world, children };
}

test("makes an experiment at every tick and keeps as many finished ones as it may", () => {
  const { world, children } = scheduled(every("20s"));
  world.loop.advance(59_000);
  expect(children()).toHaveLength(0);
  world.loop.advance(5_000);
  expect(children()).toHaveLength(1);
  expect(children()[0]).toMatch(/^nightly-[a-z0-9]{5}$/);
  world.loop.advance(400_000);
  expect(children().length).toBeLessThanOrEqual(3);
  expect(world.events("nightly").map(({ reason }) => reason)).toContain("Spawned");
  expect(world.get("schedules", "nightly").status.time).toBeDefined();
});

test("does not start another while one runs, and nothing while it is paused", () => {
  const { world, children } = scheduled(every("10m"));
  world.loop.advance(200_000);
  expect(children()).toHaveLength(1);
  const forbidden = world.events("nightly").find(({ reason }) => reason === "Forbid");
  expect(forbidden?.message).toBe(`Forbid spawning new job because: ${children()[0]} is still running`);
  world.annotate("schedules", "nightly", { "experiment.chaos-mesh.org/pause": "true" });
  world.loop.advance(5_000);
  expect(world.holds("stresschaos", children()[0] ?? "")).toContain("Paused");
});

test("throws a child without a duration away at once when it keeps no history", () => {
  const { historyLimit: _none, ...spec } = every("20s");
  const { world, children } = scheduled({ ...spec, stressChaos: stress });
  world.loop.advance(75_000);
  expect(children()).toHaveLength(0);
});

test("refuses a cron that cannot be read, in the webhook's words", () => {
  expect(() => scheduled(every("20s", { schedule: "every day" }))).toThrow(
    'admission webhook "vschedule.kb.io" denied the request: spec.schedule: Invalid value: "every day": parse schedule field error:expected 5 to 6 fields, found 2: [every day]',
  );
});

test("reads crons with and without seconds", () => {
  const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);
  const begun = at("00:00:00");
  expect(fires(parseChaosCron("*/15 * * * * *"), begun, at("10:07:30"))).toBe(true);
  expect(fires(parseChaosCron("*/15 * * * * *"), begun, at("10:07:31"))).toBe(false);
  expect(fires(parseChaosCron("7 10 * * *"), begun, at("10:07:00"))).toBe(true);
  expect(fires(parseChaosCron("7 10 * * *"), begun, at("10:07:01"))).toBe(false);
  expect(fires(parseChaosCron("@every 90s"), begun, at("00:03:00"))).toBe(true);
});

test("names the block of a kind", () => {
  expect(["StressChaos", "DNSChaos", "IOChaos", "HTTPChaos", "PodChaos"].map(blockOf)).toEqual([
    "stressChaos",
    "dnsChaos",
    "ioChaos",
    "httpChaos",
    "podChaos",
  ]);
});
