import type { AgentContext } from "@microremed/catalogue";

/** The actions that observe. */
export function observing({ maxProbes, probeSeconds }: AgentContext): string {
  if (maxProbes === 0) return "- The system cannot be looked at: decide from the report alone.";
  return `- probe_system runs one shell command that only reads: kubectl get, describe, logs, top, rollout history and the like, with filters such as grep or head on their output.
- get_logs, query_metrics, get_events and get_topology ask for telemetry.
- A look takes ${probeSeconds} s at most; there are ${maxProbes} for each attempt.`;
}
