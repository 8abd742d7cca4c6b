import { plainTable } from "@microremed/report";
import { checkTools } from "@microremed/stack";
import { Command } from "commander";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputOption } from "../output.ts";

export function doctorCommand(context: Context): Command {
  return new Command("doctor")
    .description("say what is missing on this machine and how to get it")
    .addOption(outputOption())
    .action(async ({ output }: { output: "table" | "json" }) => {
      const tools = await checkTools();
      const rows = tools.map((tool) => [
        tool.name,
        tool.found ? "found" : "missing",
        tool.version ?? "",
        tool.found ? "" : tool.howToGet,
      ]);
      context.terminal.print(
        output === "json"
          ? JSON.stringify(tools, null, 2)
          : plainTable([["tool", "state", "version", "how to get it"], ...rows]),
      );
      process.exitCode = (
        tools.every((tool) => tool.found || !tool.required) ? exitCodes.ok : exitCodes.unavailable
      ).code;
    });
}
