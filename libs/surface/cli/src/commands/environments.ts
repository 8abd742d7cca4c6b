import type { Command } from "commander";
import type { Context } from "../context.ts";
import { checkCommand } from "../environments/check.ts";
import { importCommand } from "../environments/import.ts";
import { listCommand } from "./list.ts";

/** `microremed environments`: lists them; `import` makes one from manifests, `check` tries one out. */
export function environmentsCommand(context: Context): Command {
  return listCommand(context, "environments")
    .addCommand(importCommand(context))
    .addCommand(checkCommand(context))
    .addHelpText(
      "after",
      "\nExamples:\n  microremed environments import ./kubernetes --name shop --to my-catalogue\n  microremed environments check shop --catalogue my-catalogue",
    );
}
