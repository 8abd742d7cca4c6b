import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { agentOf, methodFor } from "./agent-option.ts";

const { agents } = await builtInCatalogue();

test.each([
  ["gpt-4.1", "ReAct", "gpt-4.1"],
  ["ThinkRemed/vendor/gpt", "ThinkRemed", "vendor/gpt"],
  ["AlwaysYes", "AlwaysYes", "none"],
])("%s is %s with %s", (agent, method, model) => {
  expect(agentOf(agent, agents)).toEqual({ remediateMethod: [method], model: [model] });
});

test("the expert has every tool, whether it is named as an agent or as a model", () => {
  const meant = agentOf("reference/expert", agents);
  expect(meant).toEqual({ remediateMethod: ["Player"], model: ["reference/expert"] });
  expect(agentOf("ReAct/reference/expert", agents).remediateMethod).toEqual(["ReAct"]);
  expect(methodFor(["reference/expert"])).toBe("Player");
  expect(methodFor(["gpt-4.1", "reference/random"])).toBeUndefined();
  expect(methodFor(["reference/expert", "gpt-4.1"])).toBeUndefined();
});

test("nothing is meant by nothing", () => {
  expect(agentOf(undefined, agents)).toEqual({});
});

test("a slip in the method before a reference model is one in the method", () => {
  expect(() => agentOf("Reakt/reference/expert", agents)).toThrow(/no method "Reakt"; did you mean "ReAct"/);
});
