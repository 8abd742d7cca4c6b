import { expect, test } from "vitest";
import { cleanOf } from "./attempts.ts";

const damage = { changes: [] };

test("an episode without a repair is not clean, where that was compared", () => {
  expect(cleanOf({ steps: [], outcome: "not-remediated", damage })).toBe(false);
  expect(cleanOf({ steps: [], outcome: "not-remediated", damage: null })).toBeNull();
  expect(cleanOf({ steps: [], outcome: "solved", damage })).toBeNull();
});
