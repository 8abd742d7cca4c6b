import { expect, test } from "vitest";
import { commandOf } from "./stage-command.ts";
import { aPlan, bodies } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

const { prepare, inject, solve } = bodies;
const { playbookSeconds } = aPlan().request.timeouts;

test.each([
  ["the budget, where that ends first", 7, 7],
  ["its own limit, where that ends first", playbookSeconds + 1, playbookSeconds],
  ["its own limit, where nothing is known of the budget", undefined, playbookSeconds],
])("a command ends at %s", (_, atMostSeconds, expected) => {
  const walk = leased();
  const acts = { ...solve.ok, goesOn: true, tool: "exec_shell", arguments: { command: "sleep 900" } };
  for (const body of [prepare.ok, inject.ok, { ...acts, atMostSeconds }]) walk.next(body);
  expect(walk.record.state).toBe("acting");
  const command = commandOf(walk.record, aPlan());
  expect(command?.body).toMatchObject({ tool: "exec_shell", timeoutSeconds: expected });
});
