import { entryPlan, type Round } from "@microremed/catalogue";
import { expect, test } from "vitest";
import answers from "./index.ts";

const url = "http://frontend:80/";
const round = (answered: number | null): Round =>
  ({ state: { at: 1 }, entry: async () => ({ url, answered }) }) as unknown as Round;
const { size, mostBad } = entryPlan;

test.each([
  [size, true, false],
  [size - mostBad, true, false],
  [size - mostBad - 1, false, true],
  [0, false, true],
  // What could not be asked is in no order, and is no symptom either.
  [null, false, false],
])("%s right answers: in order %s, a symptom %s", async (answered, passed, shows) => {
  expect(await answers.measure(round(answered))).toMatchObject({ oracle: "answers", passed });
  expect(await answers.symptom?.(round(answered))).toMatchObject({ shows });
});
