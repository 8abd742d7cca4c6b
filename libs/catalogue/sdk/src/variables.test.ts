import { expect, test } from "vitest";
import { targetOf } from "./target.ts";
import { aShop } from "./testing/index.ts";
import { noAddressVariable } from "./variables.ts";

const cart = targetOf(aShop, "cart");
const from = { secretKeyRef: { name: "s", key: "k" } };

test.each([
  ["the model names no variable", undefined, {}, [], /^cart makes no call that it needs and that has a var/],
  [
    "it comes with a whole object",
    "DB",
    {},
    [{ configMap: "settings" }],
    /takes DB from a whole object.*; configmap-deleted acts/,
  ],
  ["it comes from a key of an object", "DB", { DB: from }, [], /takes DB from another object/],
  ["one beside it does", "DB", { DB: "db:80", X: from }, [], /takes other variables from another object/],
  ["another container has it", "DB", {}, [], /the first container of cart has no variable DB/],
])("why a program has no variable with an address: %s", (_, name, env, envFrom, expected) => {
  if (!cart) throw new Error("no cart");
  const calls = cart.workload.calls.map((call) => ({ ...call, env: name }));
  const place = {
    ...{ ...cart, workload: { ...cart.workload, calls } },
    container: { ...cart.container, env, envFrom },
  };
  expect(noAddressVariable(place)).toMatch(expected);
});
