import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import cycle from "./index.ts";

test("it asks and grades nothing itself: each of its parts does", async () => {
  expect(cycle.parts).toEqual(["detection", "localization", "analysis", "mitigation"]);
  expect(() => cycle.question({ environment: "shop", namespace: "shop-1" })).toThrow(
    "no question of its own",
  );
  await expect(cycle.grade(aGradeContext([], null))).rejects.toThrow("no grade of its own");
});
