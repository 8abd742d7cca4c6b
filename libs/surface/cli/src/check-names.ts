import { readdir } from "node:fs/promises";
import { canDoAll, solverOf } from "@microremed/catalogue";
import { ExperimentRequest, type ExperimentRequestInput, issueLines } from "@microremed/contracts";
import { AppError, nearest, oneOf, terminal } from "@microremed/core";
import { readEnvironment } from "@microremed/environments";
import { createModels, parseModelsFile } from "@microremed/llm";
import {
  planRequest,
  requestParameterIssues,
  tasksIn,
  unfitMethods,
  unpublishedIn,
} from "@microremed/planner";
import { createPolicyRegistry } from "@microremed/policies";
import type { Catalogue } from "@microremed/registry";
import { fileWords } from "./file-trouble.ts";
import { readTextFile } from "./read-request.ts";

/**
 * Checks the names in a request against what a range started here would know, so that a slip costs no start-up.
 * Throws what the services would answer: `unknown-environment`, `unknown-method`, `unknown-failure`, `unknown-policy`,
 * `unknown-model`, `unknown-entry`, `invalid-request`.
 */
export async function checkNames(
  request: ExperimentRequestInput,
  catalogue: Catalogue,
  { manifestPath, cassette }: { readonly manifestPath?: string; readonly cassette?: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const environment = manifestPath === undefined ? undefined : readEnvironment(manifestPath);
  const full = ExperimentRequest.parse({ ...request, ...(environment && { environment: environment.name }) });
  const using = { catalogue, environment };
  const methods = full.method.map(catalogue.agents.get);
  for (const name of full.task ?? []) catalogue.tasks.get(name);
  const { agents } = catalogue;
  const asked = { method: full.method, model: full.model, task: tasksIn(full, using) };
  const [unfit] = unfitMethods(asked, {
    methods: agents.names,
    does: (method, task) => canDoAll(agents.get(method), catalogue.tasks.get(task)),
    solver: (method) => solverOf(agents.get(method)),
    tools: (method) => agents.get(method).tools,
  });
  if (unfit !== undefined) throw terminal("invalid-request", `method: ${unfit}`);
  createPolicyRegistry(env["POLICIES_DIR"] || undefined).get(full.policy);
  planRequest(full, using);
  const wrong = requestParameterIssues(full, using);
  if (wrong.length > 0)
    throw terminal("invalid-request", `the request has wrong fields:\n${issueLines(wrong)}`);
  const unpublished = unpublishedIn(full, using);
  if (unpublished !== undefined) throw terminal("invalid-request", `verdict: ${unpublished}`);
  if (full.judge !== undefined && cassette === undefined) (await modelsHere(env)).resolve(full.judge);
  // Which models are on a cassette, the remediator says.
  if (cassette !== undefined) await checkCassette(cassette);
  if (cassette !== undefined || methods.every((method) => solverOf(method) !== "model")) return;
  const models = await modelsHere(env);
  for (const name of full.model) resolveModel(models, name, catalogue.agents.names);
}

/** Throws `unknown-model`, with the methods that the name is like: `--agent` takes both. */
function resolveModel(
  { resolve }: ReturnType<typeof createModels>,
  name: string,
  methods: readonly string[],
): void {
  try {
    resolve(name);
  } catch (thrown) {
    const near = nearest(name.split("/")[0] ?? "", methods);
    if (near.length === 0 || !(thrown instanceof AppError) || thrown.code !== "unknown-model") throw thrown;
    const text = `${thrown.message}. Methods of like names: ${oneOf(near)}`;
    throw terminal("unknown-model", text, thrown.details);
  }
}

async function checkCassette(directory: string): Promise<void> {
  const names = await readdir(directory).catch(fileWords);
  const what = "--cassette takes a directory that was written with --save-path";
  if (typeof names === "string")
    throw terminal("invalid-request", `cannot read ${directory}: ${names}; ${what}`);
  if (names.some((name) => name.endsWith(".json"))) return;
  throw terminal("invalid-request", `${directory} has no saved episode; ${what}`);
}

async function modelsHere(env: NodeJS.ProcessEnv) {
  const path = env["MICROREMED_MODELS_FILE"];
  const file = path ? parseModelsFile(await readTextFile(path, "the models file"), path) : undefined;
  const anywhere = env["OPENAI_BASE_URL"] ?? env["OPENAI_API_KEY"];
  return createModels({
    env,
    referenceUrl: "started with the range",
    ...(file && { file }),
    ...(anywhere !== undefined && { fallback: { baseUrl: anywhere, apiKey: null } }),
  });
}
