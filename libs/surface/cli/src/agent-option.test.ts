import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { agentOf } from "./agent-option.ts";

const { agents } = await builtInCatalogue();

test.each([
  ["gpt-4.1", "ReAct", "gpt-4.1"],
  ["ThinkRemed/vendor/gpt", "ThinkRemed", "vendor/gpt"],
  ["AlwaysYes", "AlwaysYes", "none"],
])("%s is %s with %s", (agent, method, model) => {
  expect(agentOf(agent, agents)).toEqual({ remediateMethod: [method], model: [model] });
});

test("the expert has every tool, and as many calls as its evidence takes", () => {
  const meant = agentOf("reference/expert", agents);
  expect(meant).toMatchObject({ remediateMethod: ["Player"], model: ["reference/expert"], maxProbes: 100 });
  expect(agentOf("ReAct/reference/expert", agents).remediateMethod).toEqual(["ReAct"]);
});

test("nothing is meant by nothing", () => {
  expect(agentOf(undefined, agents)).toEqual({});
});
