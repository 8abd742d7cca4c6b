import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { aShop } from "../testing/index.ts";
import { drawnParameters } from "./draw.ts";
import { drawnName, drawnPath, drawnProgram, mistyped } from "./names.ts";
import { between, otherTag, strangeAddress, wrongPort } from "./values.ts";

const where = { environment: aShop, target: "cart" };
const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const drawnWith = <T>(draw: (rng: ReturnType<typeof createRng>) => T): T[] =>
  seeds.map((seed) => draw(createRng(seed)));
const fault = { drawn: { size: between(1, 1000), name: drawnName("pool") } };

test("what a problem says stays, what it does not say is drawn from the seed, each parameter for itself", () => {
  const drawn = drawnParameters(fault, where, undefined, createRng(1));
  expect(drawnParameters(fault, where, undefined, createRng(1))).toEqual(drawn);
  expect(drawnParameters(fault, where, { size: 7, other: 1 }, createRng(1))).toEqual({
    ...{ size: 7, other: 1 },
    name: drawn?.["name"],
  });
  expect(drawnParameters(fault, where, undefined, createRng(2))).not.toEqual(drawn);
});

test("a draw without a value, and a fault without draws, leave what is given", () => {
  expect(
    drawnParameters({ drawn: { size: () => undefined } }, where, undefined, createRng(1)),
  ).toBeUndefined();
  expect(drawnParameters({}, where, { size: 1 }, createRng(1))).toEqual({ size: 1 });
});

test.each([
  ["names", drawnName("scheduler", "sched"), /^[a-z][a-z0-9-]*[a-z0-9]$/],
  ["paths", drawnPath, /^\/[a-z0-9/-]+$/],
  ["programs", drawnProgram, /^\/[a-z0-9/.-]+$/],
  ["addresses", strangeAddress, /^(172\.(2\d|3[01])|192\.168)\.\d+\.\d+(\.\d+)?$/],
])("%s are hardly ever the same for two seeds", (_, draw, form) => {
  const all = drawnWith((rng) => String(draw(rng, where)));
  for (const one of all) expect(one).toMatch(form);
  expect(new Set(all).size).toBeGreaterThan(0.8 * all.length);
});

test("a wrong port is none on which the target listens", () => {
  const own = aShop.workloads["cart"]?.containers.flatMap(({ ports }) =>
    ports.map((one) => one.containerPort),
  );
  const all = drawnWith((rng) => wrongPort(rng, where));
  for (const port of all) expect(own).not.toContain(port);
  expect(new Set(all).size).toBeGreaterThan(50);
});

test.each(["cartservice", "ts-order", "a", "redis-cart1", "DB_HOST"])(
  "a mistyped %s is another name",
  (name) => {
    for (const one of drawnWith((rng) => mistyped(name, rng))) {
      expect(one).not.toBe(name);
      expect(one).toMatch(/^[a-zA-Z_]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$/);
    }
  },
);

test.each(["v0.3.8", "latest", "2.2.1-cart", "5.7"])("another tag than %s is one", (tag) => {
  for (const one of drawnWith((rng) => otherTag(tag, rng))) {
    expect(one).not.toBe(tag);
    expect(one).toMatch(/^\w[\w.-]{0,127}$/);
  }
});
