import { solverOf } from "@microremed/catalogue";
import { ExperimentRequest, type ExperimentRequestInput, type ModelCheckReply } from "@microremed/contracts";
import { AppError, terminal as refuse } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import { Option } from "commander";
import type { Terminal } from "./terminal.ts";

/** Models asked at once. */
const atOnce = 10;

interface Trouble {
  readonly code: string;
  readonly line: string;
}

/** `--no-preflight` of the commands that start experiments. */
export function preflightOption(): Option {
  return new Option("--no-preflight", "skip the test call to each model before the experiment starts");
}

/**
 * Asks every model of a request once, so that a wrong key or address costs no episode. Throws the first model's error
 * code, with a line for each model that cannot be used. A model that no remediator can check is only mentioned.
 */
export async function askModels(
  client: Pick<RangeClient, "checkModel">,
  request: ExperimentRequestInput,
  agents: Pick<Catalogue["agents"], "get" | "has">,
  { say }: Pick<Terminal, "say">,
): Promise<void> {
  const { model, method, judge, timeouts } = ExperimentRequest.parse(request);
  const isAsked = method.some((name) => !agents.has(name) || solverOf(agents.get(name)) === "model");
  const models = [...new Set([...(isAsked ? model : []), ...(judge === undefined ? [] : [judge])])];
  if (models.length === 0) return;
  const asked = models.filter((name) => !name.startsWith("reference/"));
  if (asked.length > 0) say(`asking each model once: ${asked.join(", ")}`);
  const check = async (model: string): Promise<Trouble[]> => {
    const reply = await client
      .checkModel(model, Math.min(timeouts.modelSeconds, 600))
      .catch((thrown: unknown) => unanswered(thrown, model, say));
    return reply?.trouble ? [{ code: reply.trouble.code, line: lineOf(model, reply) }] : [];
  };
  const troubles: Trouble[] = [];
  for (let from = 0; from < models.length; from += atOnce)
    troubles.push(...(await Promise.all(models.slice(from, from + atOnce).map(check))).flat());
  const [first] = troubles;
  if (!first) return;
  // The error itself ends in the code of the first.
  const lines = troubles
    .map(({ code, line }) => `  ${line}${code === first.code ? "" : ` [${code}]`}`)
    .join("\n");
  throw refuse(
    first.code,
    `${troubles.length} of ${models.length} models cannot be used, so no episode was started (--no-preflight starts anyway):\n${lines}`,
  );
}

function lineOf(model: string, { trouble, endpoint }: ModelCheckReply): string {
  const message = trouble?.message ?? "";
  const where = endpoint === null || message.includes(endpoint) ? "" : ` at ${endpoint}`;
  return `${model}${where}: ${message}`;
}

/** Remediators that are not there yet are waited for by the episodes themselves. */
function unanswered(thrown: unknown, model: string, say: Terminal["say"]): undefined {
  const error = AppError.from(thrown);
  if (error.code !== "bus-unreachable") throw thrown;
  say(`model ${model} is not checked, because no remediator answers: ${error.message}`);
}
