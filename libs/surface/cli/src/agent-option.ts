import { solverOf } from "@microremed/catalogue";
import { noModel } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";

/** Does every task. */
const usualMethod = "ReAct";
/** What agents are called that are a method with a model of rules. */
const known: Readonly<Record<string, string>> = { "reference/expert": "reference/runbook" };

/** The method and the model that `--agent [method/]model`, or a method without a model, means; nothing: the option is not given. */
export function agentOf(
  agent: string | undefined,
  agents: Pick<Catalogue["agents"], "has" | "get">,
): { model?: readonly string[]; remediateMethod?: readonly string[] } {
  if (agent === undefined) return {};
  if (agents.has(agent) && solverOf(agents.get(agent)) === "code")
    return { remediateMethod: [agent], model: [noModel] };
  const [first = "", ...rest] = agent.split("/");
  const isMethod = rest.length > 0 && agents.has(first);
  const model = isMethod ? rest.join("/") : agent;
  return { remediateMethod: [isMethod ? first : usualMethod], model: [known[model] ?? model] };
}
