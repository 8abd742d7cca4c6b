import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import monitoring from "./index.ts";

test("it asks for detection, window by window, and lets nothing be changed", async () => {
  expect(monitoring).toMatchObject({ parts: ["detection"], watch: true, mayAct: false });
  expect(() => monitoring.question({ environment: "shop", namespace: "shop-1" })).toThrow(
    "no question of its own",
  );
  await expect(monitoring.grade(aGradeContext([], null))).rejects.toThrow("no grade of its own");
});
