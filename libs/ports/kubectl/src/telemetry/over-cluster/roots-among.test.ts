import { expect, test } from "vitest";
import { rootsAmong } from "./roots-among.ts";

const isOwn = (name: string): boolean => ["frontend", "cart", "db"].includes(name);
const calls = [
  { parent: "frontend", child: "cart" },
  { parent: "cart", child: "db" },
];
const neighbours = Array.from({ length: 100 }, (_, index) => `a${index}`);

test("neighbours with many programs do not hide where a system's requests begin", () => {
  const found = rootsAmong([...neighbours, "cart", "db", "frontend"], calls, isOwn);
  expect(found[0]).toBe("frontend");
  expect(found.length).toBeLessThan(100);
});

test("a neighbour that calls a program of the same name does not make it one that is called", () => {
  const edge = { parent: "edge", child: "frontend" };
  expect(rootsAmong(["cart", "edge", "frontend"], [...calls, edge], isOwn)).toEqual(["frontend", "edge"]);
});

test("programs whose traces have other names than their pods are asked for, too", () => {
  expect(
    rootsAmong(["shop-web", "cart", "db"], [...calls, { parent: "shop-web", child: "frontend" }], isOwn),
  ).toContain("shop-web");
  expect(rootsAmong(["web", "api"], [{ parent: "web", child: "api" }], () => false)).toEqual(["web"]);
});

test("in a circle of calls all of the system's own are asked for", () => {
  const circle = [...calls, { parent: "db", child: "frontend" }];
  expect(rootsAmong(["frontend", "cart", "db"], circle, isOwn)).toEqual(["frontend", "cart", "db"]);
});
