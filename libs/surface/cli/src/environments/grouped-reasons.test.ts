import { expect, test } from "vitest";
import { groupedReasons } from "./grouped-reasons.ts";

test("reasons that differ in names alone are one group, and rare ones are counted together", () => {
  const reasons = [
    "no program has a flag adFailure that hits web (6 of 6 targets)",
    "no program has a flag cartFailure that hits web-2 (6 of 6 targets)",
    "web is no Redis (5 of 6 targets); db is no Deployment (1 of 6 targets)",
    "web has no memory limit",
  ];
  expect(groupedReasons(reasons, ["web", "web-2", "db"])).toBe(
    "no program has a flag ... that hits it (2), others (2)",
  );
  expect(groupedReasons(["a", "b"], [])).toBe("each another reason (2)");
});
