import { createKubectl, inspectTarget } from "@microremed/deploy";
import { sandboxTrouble } from "@microremed/sandbox";
import { plainTable } from "@microremed/scoring";
import { checkTools, type ToolCheck } from "@microremed/stack";
import { Command } from "commander";
import { checksTable } from "../checks-table.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputOption } from "../output.ts";

export function doctorCommand(context: Context): Command {
  return new Command("doctor")
    .option("--kubeconfig <path>", "check this cluster instead; changes nothing on it")
    .option("--context <name>", "context of the kubeconfig; default: its current context")
    .addOption(outputOption())
    .action(async ({ output, kubeconfig, context: kubeContext }: Options) => {
      if (kubeconfig !== undefined) return examineCluster(context, kubeconfig, kubeContext, output);
      const tools = [...(await checkTools()), await checkSandbox(context.env)];
      const rows = tools.map((tool) => [
        tool.name,
        tool.found ? "found" : "missing",
        tool.version ?? "",
        tool.found ? "" : tool.howToGet,
      ]);
      context.terminal.print(
        output === "json"
          ? JSON.stringify(tools, null, 2)
          : plainTable([["tool", "state", "version", "how to get it"], ...rows], context.terminal.width),
      );
      const isComplete = tools.every((tool) => tool.found || !tool.required);
      if (!isComplete)
        context.terminal.say(
          "\nThese are for a range of processes. demo, run, audit and replay also work without them: all in one process, with playbooks interpreted.",
        );
      process.exitCode = (isComplete ? exitCodes.ok : exitCodes.unavailable).code;
    });
}

interface Options {
  readonly output: "table" | "json";
  readonly kubeconfig?: string;
  readonly context?: string;
}

async function examineCluster(
  { terminal }: Context,
  kubeconfig: string,
  kubeContext: string | undefined,
  output: Options["output"],
): Promise<void> {
  const { checks } = await inspectTarget(createKubectl(kubeconfig, kubeContext));
  terminal.print(output === "json" ? JSON.stringify(checks, null, 2) : checksTable(checks, terminal.width));
  process.exitCode = (checks.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.unavailable).code;
}

/** Whether untrusted code can be confined here, found out by doing it. */
async function checkSandbox(env: Context["env"]): Promise<ToolCheck> {
  const trouble = await sandboxTrouble(env["PATH"] ?? "");
  const isWaived = env["SANDBOX"] === "none";
  return {
    name: "sandbox",
    found: trouble === undefined,
    version: trouble === undefined ? "bubblewrap" : undefined,
    required: !isWaived,
    usedFor: "confining playbooks and probes",
    howToGet: `${trouble ?? ""}; see docs/security.md, or set SANDBOX=none to run without a sandbox${isWaived ? " (it is set)" : ""}`,
  };
}
