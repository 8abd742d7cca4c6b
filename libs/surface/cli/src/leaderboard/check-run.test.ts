import { expect, test } from "vitest";
import { replaysInWords } from "./check-run.ts";

test("replays that were not made are not said to end as recorded", () => {
  expect(replaysInWords(3, 0)).toBe("3 drawn, all end as recorded");
  expect(replaysInWords(3, 2)).toMatch(/^3 drawn, all end as recorded; 2 cannot be replayed/);
  expect(replaysInWords(0, 2)).toMatch(
    /^none drawn: no episode was checked by a replay; 2 cannot be replayed/,
  );
  expect(replaysInWords(0, 0)).toBe("none drawn: no episode was checked by a replay");
});
