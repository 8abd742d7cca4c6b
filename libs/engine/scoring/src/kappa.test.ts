import { expect, test } from "vitest";
import { cohensKappa, krippendorffsAlpha } from "./kappa.ts";

test("Krippendorff's alpha of his own example: four raters, twelve units, some not rated", () => {
  // "Computing Krippendorff's alpha-reliability" (2011), section C: nominal alpha = 0.743.
  const rows = [
    ["1", "2", "3", "3", "2", "1", "4", "1", "2", "", "", ""],
    ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", "", "3"],
    ["", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", ""],
    ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", ""],
  ];
  const units = Array.from({ length: 12 }, (_, at) =>
    rows.map((row) => row[at] ?? "").filter((one) => one !== ""),
  );
  expect(krippendorffsAlpha(units)).toBeCloseTo(0.743, 3);
});

test("alpha is 1 for perfect agreement and nothing where it cannot be computed", () => {
  expect(krippendorffsAlpha([["a", "a"], ["b", "b", "b"], ["c"]])).toBe(1);
  expect(krippendorffsAlpha([["a"], ["b"]])).toBeNull();
  expect(krippendorffsAlpha([["a", "a"]])).toBeNull();
});

test("kappa over three categories", () => {
  // p = 0.6; e = 0.4 * 0.4 + 0.4 * 0.4 + 0.2 * 0.2 = 0.36; kappa = 0.24 / 0.64.
  const said = [
    ["l", "l"],
    ["l", "r"],
    ["r", "r"],
    ["r", "l"],
    ["t", "t"],
  ] as const;
  expect(cohensKappa(said)).toBeCloseTo(0.375);
  expect(cohensKappa([])).toBeNull();
});
