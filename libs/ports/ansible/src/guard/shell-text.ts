import { shellWord } from "@microremed/core";
import { type ShellCommand, shellCommands } from "@microremed/kubectl";
import { isFields, type Step } from "./step.ts";

const shells = new Set([
  "ansible.builtin.shell",
  "ansible.builtin.command",
  "ansible.builtin.raw",
  "ansible.builtin.expect",
]);

/** The script that a task runs, templates replaced by `$TEMPLATE`; undefined for a module that runs none. */
export function shellText({ module, args }: Step): string | undefined {
  if (module === undefined || !shells.has(module)) return undefined;
  return scriptIn(args).replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g, "$TEMPLATE");
}

/** Its simple commands; none when the text can't be read as a script. */
export async function commandsOf(step: Step): Promise<readonly ShellCommand[]> {
  return (await shellCommands(shellText(step) ?? "")) ?? [];
}

function scriptIn(args: unknown): string {
  if (!isFields(args)) return typeof args === "string" ? args : "";
  const { argv } = args;
  if (Array.isArray(argv)) return argv.map((word) => shellWord(String(word))).join(" ");
  return String(args["cmd"] ?? args["_raw_params"] ?? args["command"] ?? "");
}
