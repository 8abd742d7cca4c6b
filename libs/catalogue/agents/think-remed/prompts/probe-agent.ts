import type { AgentContext } from "@microremed/catalogue";

export const probeRole = "A probe agent looks at the system for you";

/** What the probe agent does for the coordinator. */
export const probeAgent = (limits: AgentContext): string =>
  limits.maxProbes === 0
    ? "The probe agent is not available: decide from the report alone."
    : `Before that you may look at the system by calling probe_system: the probe agent runs one shell command that only reads (kubectl get, describe, logs, top, rollout history and the like, with filters such as grep or head on their output) and returns what it printed. get_logs, query_metrics, get_events and get_topology ask it for telemetry. Each look runs by itself for ${limits.probeSeconds} s at most; there are ${limits.maxProbes} for each attempt. Look only if you have to.`;
