import { type Environment, targetOf } from "@microremed/catalogue";
import { aShop } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import { noPassword } from "./place.ts";

const environment: Environment = { ...aShop, secrets: { db: { PASSWORD: "x" } } };
const cart = targetOf(aShop, "cart");
const login = { user: "U", password: "PASSWORD", database: "D" };
const reference = { PASSWORD: { secretKeyRef: { name: "db", key: "PASSWORD" } } };

test.each([
  ["a key of a Secret", { login }, reference, [], /takes its password by a reference \(valueFrom\)/],
  ["a value of its own", { login }, { PASSWORD: "x" }, [], /takes PASSWORD from no Secret/],
  ["a connection string", { connectionString: "URL" }, {}, [], /is part of a connection string \(URL\)/],
  ["a Secret, and no login", {}, {}, [{ secret: "db" }], /has a login in the model, though it takes/],
  ["none", {}, {}, [], /^cart takes no password from a Secret$/],
])("why no password of a program can be replaced where it has %s", (_, call, env, envFrom, expected) => {
  if (!cart) throw new Error("no cart");
  const calls = cart.workload.calls.map((one) => ({ ...one, ...call }));
  const place = {
    ...cart,
    workload: { ...cart.workload, calls },
    container: { ...cart.container, env, envFrom },
  };
  expect(noPassword(place, environment)).toMatch(expected);
});
