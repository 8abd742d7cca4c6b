import { shellPlaybook } from "@microremed/catalogue";
import type { Move } from "./policy.ts";

/** A repair by shell commands, each of which must succeed: as a playbook, and as one command for who has a shell. */
export const shellMove = (title: string, commands: readonly string[]): Move => ({
  playbook: shellPlaybook(title, commands),
  command: ["set -e", ...commands].join("\n"),
});
