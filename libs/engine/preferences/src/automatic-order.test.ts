import { expect, test } from "vitest";
import { automaticOrder } from "./automatic-order.ts";
import type { Effect } from "./pair.ts";
import { aPair } from "./testing/a-repair.ts";

const damage = {
  where: "arena",
  what: "changed",
  object: "Service/a",
  detail: "",
  class: "changed",
} as const;
const spent = { ...damage, class: "spent" } as const;

test.each<[string, Partial<Effect>, Partial<Effect>]>([
  ["recovered", { hurt: 90 }, { recovered: false, clean: false }],
  ["clean", { hurt: 90 }, { clean: false }],
  [
    "changes that are left",
    { clean: false, changes: [damage, spent] },
    { clean: false, changes: [damage, damage] },
  ],
  ["requests that failed or were slow", { hurt: 10, podsRestarted: 3 }, { hurt: 20 }],
  ["pods that were restarted", { podsRestarted: 1 }, { podsRestarted: 2 }],
])("%s: the better side is preferred, on either side", (by, better, worse) => {
  expect(automaticOrder(aPair("p", better, worse))).toEqual({ choice: "left", by });
  expect(automaticOrder(aPair("p", worse, better))).toEqual({ choice: "right", by });
});

test.each<[string, Partial<Effect>, Partial<Effect>]>([
  ["nothing differs", {}, {}],
  ["a few requests more", { hurt: 3 }, { hurt: 7 }],
  ["a small share more", { hurt: 100 }, { hurt: 119 }],
  ["not measured on one side", { hurt: null }, { hurt: 80 }],
  ["clean was not asked on one side", { clean: null }, { clean: false }],
  ["only what does no harm was left", { changes: [spent] }, {}],
])("a tie: %s", (_, left, right) => {
  expect(automaticOrder(aPair("p", left, right)).choice).toBe("tie");
});
