import { Command } from "commander";
import type { Context } from "../context.ts";
import { agentRunCommand } from "./agent-run.ts";

/** `microremed agent run`: programs of this machine as agents. */
export function agentCommand(context: Context): Command {
  const group = new Command("agent");
  group.addCommand(agentRunCommand(context));
  return group;
}
