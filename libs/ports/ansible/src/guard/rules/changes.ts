import { checkProbe } from "@microremed/kubectl";
import type { Rule } from "../rule.ts";
import { shellText } from "../shell-text.ts";

/** Where nothing may be changed, shell commands are what probes are. */
export const changes: Rule = async (step, { policy }) => {
  if (policy.changes === "allowed") return undefined;
  const script = shellText(step);
  if (script === undefined) return undefined;
  return (await checkProbe(script))?.replace("Probes only read", "commands only read");
};
