import { expect, test } from "vitest";
import { boundedLabel } from "./bounded-label.ts";

test("gives the first values their own label and calls all later ones other", () => {
  const label = boundedLabel(2);
  expect(["a", "b", "a", "c", "d", "b"].map(label)).toEqual(["a", "b", "a", "other", "other", "b"]);
});
