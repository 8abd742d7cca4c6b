import { solverOf } from "@microremed/catalogue";
import { noModel } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";

/** Does every task. */
const usualMethod = "ReAct";
/** Models of rules that one method alone offers all the tools of. */
const methodFor: Readonly<Record<string, string>> = { "reference/expert": "Player" };
/** The expert makes the calls of every fault of the catalogue, however many there are. */
const needs = { maxProbes: 100, budget: ["probeRounds=1000", "toolCalls=2000", "tokens=100000000"] };

/** What `--agent` means; nothing: the option is not given. */
export interface MeantAgent {
  readonly model?: readonly string[];
  readonly remediateMethod?: readonly string[];
  /** Calls of tools in an attempt; absent: the request's default. */
  readonly maxProbes?: number;
  /** As `--budget` takes it; absent: the request's defaults. */
  readonly budget?: readonly string[];
}

/** The method and the model that `--agent [method/]model`, or a method without a model, means; nothing: the option is not given. */
export function agentOf(
  agent: string | undefined,
  agents: Pick<Catalogue["agents"], "has" | "get">,
): MeantAgent {
  if (agent === undefined) return {};
  if (agents.has(agent) && solverOf(agents.get(agent)) === "code")
    return { remediateMethod: [agent], model: [noModel] };
  const [first = "", ...rest] = agent.split("/");
  const isMethod = rest.length > 0 && agents.has(first);
  const model = isMethod ? rest.join("/") : agent;
  const method = isMethod ? first : (methodFor[model] ?? usualMethod);
  return { remediateMethod: [method], model: [model], ...(model in methodFor && needs) };
}
