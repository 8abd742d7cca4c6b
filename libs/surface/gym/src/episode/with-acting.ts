import type { Catalogue } from "@microremed/registry";
import type { CaseRequest } from "./case-request.ts";

/** What takes the place of the shell: the same commands, but for those that change something. */
const readingShell = "probe_system";

/** The catalogue in which the agent of a session has no tool that acts within a turn, so that a playbook ends it. */
export function withActing(catalogue: Catalogue, acting: CaseRequest["acting"]): Catalogue {
  if (acting === "commands") return catalogue;
  const { agents, tools } = catalogue;
  const isReading = (name: string): boolean => {
    const tool = tools.get(name);
    return tool.kind !== "observe" || !(tool.acts || tool.rights === "write");
  };
  return {
    ...catalogue,
    agents: {
      ...agents,
      get: (name) => {
        const agent = agents.get(name);
        return { ...agent, tools: [readingShell, ...agent.tools.filter(isReading)] };
      },
    },
  };
}
