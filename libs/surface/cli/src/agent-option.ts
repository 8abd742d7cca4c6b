import { solverOf } from "@microremed/catalogue";
import { noModel } from "@microremed/contracts";
import { needsOf } from "@microremed/llm/policy-needs";
import type { Catalogue } from "@microremed/registry";

/** Does every task. */
const usualMethod = "ReAct";

/** What `--agent` means; nothing: the option is not given. */
export interface MeantAgent {
  readonly model?: readonly string[];
  readonly remediateMethod?: readonly string[];
}

/**
 * The method and the model that `--agent [method/]model`, or a method without a model, means; nothing: the option is not
 * given. Throws `unknown-method` where only a method can be meant.
 */
export function agentOf(
  agent: string | undefined,
  agents: Pick<Catalogue["agents"], "has" | "get">,
): MeantAgent {
  if (agent === undefined) return {};
  if (agents.has(agent) && solverOf(agents.get(agent)) === "code")
    return { remediateMethod: [agent], model: [noModel] };
  const [first = "", ...rest] = agent.split("/");
  // What comes before a reference model can only be a method.
  if (rest[0] === "reference") agents.get(first);
  const isMethod = rest.length > 0 && agents.has(first);
  const model = isMethod ? rest.join("/") : agent;
  const method = isMethod ? first : (needsOf(model)?.method ?? usualMethod);
  return { remediateMethod: [method], model: [model] };
}

/** The method of models that are named without one: the one that all of them need; undefined: they need none, or several. */
export function methodFor(models: readonly string[]): string | undefined {
  const [needed, ...others] = new Set(models.map((model) => needsOf(model)?.method));
  return others.length === 0 ? needed : undefined;
}
