import type { Rule } from "../rule.ts";
import { commandsOf } from "../shell-text.ts";
import { isFields } from "../step.ts";

const programs = new Set(
  "sudo su doas pkexec runuser nsenter unshare chroot setpriv capsh bwrap docker podman crictl ctr nerdctl mount umount insmod modprobe".split(
    " ",
  ),
);

/**
 * No task gets more rights than the run. `become` is a habit of playbooks written for a remote machine: it has no effect
 * here, so a policy may let it pass.
 */
export const escalation: Rule = async (step, { policy }) => {
  if (policy.escalation === "any") return undefined;
  const asked = ["become", "become_user", "become_method"].find((name) => step.fields[name] !== undefined);
  if (policy.escalation === "refused" && asked !== undefined) return `${asked} is not allowed`;
  for (const { words } of await commandsOf(step)) {
    const program = words.find((word) => !/^\w+=/.test(word))?.replace(/^.*\//, "") ?? "";
    if (programs.has(program))
      return `${program} asks for rights beyond the run's, which are all that there are`;
  }
  const mode = isFields(step.args) ? step.args["mode"] : undefined;
  return setsOwner(mode) ? `mode ${String(mode)} would set user or group` : undefined;
};

/** Octal digits, the number that YAML makes of them, or symbols such as `u+s`. */
function setsOwner(mode: unknown): boolean {
  const bits = typeof mode === "number" ? mode : Number.parseInt(String(mode), 8);
  return (bits & 0o6000) !== 0 || (typeof mode === "string" && /[+=][rwxXt]*s/.test(mode));
}
