/** What the probe agent does for the coordinator, and what it answers when it does not. */
export const probeAgent = (limits: { maxProbes: number; probeSeconds: number }): string =>
  limits.maxProbes === 0
    ? "The probe agent is not available: decide from the report alone."
    : `Before that you may look at the system by calling probe_system: the probe agent runs one shell command that only reads (kubectl get, describe, logs, top, rollout history and the like, with filters such as grep or head on their output) and returns what it printed. Each command runs by itself for ${limits.probeSeconds} s at most; there are ${limits.maxProbes} for each attempt. Probe only if you have to.`;

export const probesUsedUp = (maxProbes: number): string =>
  `Not run: all ${maxProbes} probes of this attempt are used. Call print_playbook now.`;
