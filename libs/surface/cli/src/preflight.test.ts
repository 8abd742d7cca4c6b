import type { ModelCheckReply } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { askModels } from "./preflight.ts";

const { agents } = await builtInCatalogue();
const endpoint = "https://models.example/v1";
const refused = { code: "model-refused", message: "it answered 401 (check the API key)", details: {} };

/** Asks the models of a request, of which some do not answer so. */
async function ask(
  model: string[],
  troubles: Record<string, ModelCheckReply["trouble"] | Error> = {},
  method = ["SoloGen"],
  judge?: string,
) {
  const said: string[] = [];
  const asked: string[] = [];
  const checkModel = async (name: string): Promise<ModelCheckReply> => {
    asked.push(name);
    const trouble = troubles[name] ?? null;
    if (trouble instanceof Error) throw trouble;
    return { trouble, endpoint };
  };
  const request = { environment: "simple-micro", model, method, ...(judge && { judge }) };
  const error = await askModels({ checkModel }, request, agents, { say: (line) => said.push(line) }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { said, asked, error };
}

test("every model is asked once, and nothing is said against those that answer", async () => {
  const { asked, error } = await ask(["a", "reference/noop", "b"]);
  expect(asked).toEqual(["a", "reference/noop", "b"]);
  expect(error).toBeUndefined();
});

test("the judge of free text is asked too, also beside a person, and once where it is a model that is tried", async () => {
  expect((await ask(["a"], {}, ["SoloGen"], "b")).asked).toEqual(["a", "b"]);
  expect((await ask(["a"], {}, ["SoloGen"], "a")).asked).toEqual(["a"]);
  const { asked, error } = await ask(["human"], { b: refused }, ["Human"], "b");
  expect(asked).toEqual(["b"]);
  expect(error).toMatchObject({ code: "model-refused" });
});

test("models that do not answer are named with endpoint and cause, and no episode is started", async () => {
  const { error } = await ask(["a", "b", "c"], { a: refused, c: refused });
  expect(error).toMatchObject({ code: "model-refused", severity: "terminal" });
  expect(String(error)).toMatch(/2 of 3 models cannot be used.*no episode was started/);
  expect(String(error)).toContain(`\n  a at ${endpoint}: it answered 401 (check the API key)`);
  expect(String(error)).toContain("\n  c at ");
});

test("without a remediator that answers the check is left out, and a person or code is asked nothing", async () => {
  const { said, error } = await ask(["a"], { a: retryable("bus-unreachable", "no responders") });
  expect(error).toBeUndefined();
  expect(said.join("\n")).toContain("model a is not checked");
  expect((await ask(["human"], {}, ["Human"])).asked).toEqual([]);
  expect((await ask(["none"], {}, ["AlwaysYes"])).asked).toEqual([]);
});
