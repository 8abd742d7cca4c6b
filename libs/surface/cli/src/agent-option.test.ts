import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { agentOf } from "./agent-option.ts";

const { agents } = await builtInCatalogue();

test.each([
  ["gpt-4.1", "ReAct", "gpt-4.1"],
  ["ThinkRemed/vendor/gpt", "ThinkRemed", "vendor/gpt"],
  ["reference/expert", "ReAct", "reference/runbook"],
  ["AlwaysYes", "AlwaysYes", "none"],
])("%s is %s with %s", (agent, method, model) => {
  expect(agentOf(agent, agents)).toEqual({ remediateMethod: [method], model: [model] });
});

test("nothing is meant by nothing", () => {
  expect(agentOf(undefined, agents)).toEqual({});
});
