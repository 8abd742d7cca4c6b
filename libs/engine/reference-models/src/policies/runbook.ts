import type { Policy, Situation } from "../policy.ts";
import { removeChaos } from "./remove-chaos.ts";
import { restart } from "./restart.ts";
import { revertConfiguration } from "./revert-configuration.ts";

/** What an expert does for each failure category. */
const runbooks: Readonly<Record<string, Policy>> = {
  "cpu-stress": removeChaos("stresschaos"),
  "memory-stress": removeChaos("stresschaos"),
  "disk-io": removeChaos("iochaos"),
  "network-loss": removeChaos("networkchaos"),
  "network-delay": removeChaos("networkchaos"),
  "pod-fail": removeChaos("podchaos"),
  "pod-config-error": revertConfiguration,
};

/** The expert's fix for the reported category; a restart for one that the runbook does not know. */
export const runbook: Policy = (situation: Situation) => {
  const { failure = "" } = situation.report;
  const known = Object.hasOwn(runbooks, failure) ? runbooks[failure] : undefined;
  return (known ?? restart)(situation);
};
