import { expect, test } from "vitest";
import { checkAccess, scopeOf } from "./access.ts";

const trainerToken = "t".repeat(20);
const agentToken = "a".repeat(20);

test("where other machines reach it a gym needs a token, and a weak one is refused", () => {
  const local = { trainerToken, agentToken: undefined };
  for (const host of ["127.0.0.1", "::1", "localhost"]) expect(() => checkAccess(host, local)).not.toThrow();
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "gym.example"])
    expect(() => checkAccess(host, local)).toThrow(/set MICROREMED_GYM_TOKEN/);
  expect(() => checkAccess("0.0.0.0", { trainerToken, agentToken })).not.toThrow();
  expect(() => checkAccess("127.0.0.1", { trainerToken: "short", agentToken })).toThrow(/at least 16/);
  expect(() => checkAccess("127.0.0.1", { trainerToken, agentToken: trainerToken })).toThrow(/are the same/);
});

test("only the trainer's token is the trainer's", () => {
  const both = { trainerToken, agentToken };
  expect(scopeOf(`Bearer ${trainerToken}`, both)).toBe("trainer");
  expect(scopeOf(`Bearer ${agentToken}`, both)).toBe("agent");
  for (const wrong of [undefined, "", "Bearer ", `Bearer ${agentToken}x`, agentToken])
    expect(() => scopeOf(wrong, both)).toThrow(/bearer token/);
  const open = { trainerToken, agentToken: undefined };
  expect(scopeOf(undefined, open)).toBe("agent");
  expect(() => scopeOf("Bearer guessed", open)).toThrow(/bearer token/);
});
