import type { OfferedTool } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import { toolSpecs } from "@microremed/solving";

/** The catalogue's agent that outside agents are. */
const outside = "Session";

/** The tools that outside agents have, before it is known what a task asks for: `submit` then takes anything. */
export function usualTools({ agents, tools }: Pick<Catalogue, "agents" | "tools">): OfferedTool[] {
  const specs = toolSpecs(tools);
  const named = agents
    .get(outside)
    .tools.flatMap((name) => specs.get(tools.get(name).publishedAs ?? name) ?? []);
  const submit: OfferedTool = {
    name: "submit",
    description:
      "Submit the answer to the task, or, without arguments, say that the system is repaired. The words of the problem say what is asked for.",
    parameters: { type: "object", properties: {}, additionalProperties: true },
  };
  return [...named.map(({ parameters, ...spec }) => ({ ...spec, parameters: { ...parameters } })), submit];
}
