import { testGoldens } from "@microremed/sim-objects/testing";
import { rfc3339 } from "@microremed/sim-time";
import { deploymentStatus, msToDeadline, type StatusInput } from "./deployment-status.ts";

testGoldens<Omit<StatusInput, "now" | "at">>(import.meta.url, "deployment-status", (input, now) => {
  const status = deploymentStatus({ ...input, now, at: rfc3339(now) });
  return { status, recheckMs: msToDeadline(input.deployment, status.conditions, now) };
});
