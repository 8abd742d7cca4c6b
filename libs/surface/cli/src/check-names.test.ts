import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { agentOf } from "./agent-option.ts";
import { checkNames } from "./check-names.ts";

const catalogue = await builtInCatalogue();

/** What is said of `--agent`, where no models file and no endpoint is set. */
async function saidOf(agent: string): Promise<string> {
  const { model = [], remediateMethod = [] } = agentOf(agent, catalogue.agents);
  const request = {
    environment: "simple-micro",
    failures: ["cpu-stress"],
    model: [...model],
    method: [...remediateMethod],
  };
  return await checkNames(request, catalogue, {}, {}).then(() => "", String);
}

test("a misspelt agent is answered with the methods and the models that it is like", async () => {
  expect(await saidOf("AlwayYes")).toMatch(
    /no model is called "AlwayYes".*Methods of like names: "AlwaysYes"/s,
  );
  expect(await saidOf("reference/expertt")).toMatch(/did you mean "reference\/expert"/);
  expect(await saidOf("Reakt/gpt-4.1")).toMatch(/no model is called "Reakt\/gpt-4.1".*"ReAct"/s);
});

test("a name that is like no method is answered with models alone", async () => {
  expect(await saidOf("zzzzzzzzzzzz")).not.toContain("Methods");
});
