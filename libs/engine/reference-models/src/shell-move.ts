import { shellPlaybook } from "@microremed/catalogue";
import type { Move } from "./policy.ts";

/** How every repair by a command begins; no observation does. */
export const repairStart = "set -e\n";

/** A repair by shell commands, each of which must succeed: as a playbook, and as one command for who has a shell. */
export const shellMove = (title: string, commands: readonly string[]): Move => ({
  playbook: shellPlaybook(title, commands),
  command: `${repairStart}${commands.join("\n")}`,
});
