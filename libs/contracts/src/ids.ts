import { z } from "zod";

/** Lower-case letters, digits and dashes, 3 to 63 characters: safe as a NATS token, a Redis key part and a label value. */
export const ExperimentId = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/,
    "lower-case letters, digits and dashes, 3 to 63 characters",
  );

/** `<experiment>.<index>`, the index counted from 0 and padded to four digits. */
export const EpisodeId = z.string().regex(/^[a-z0-9-]{3,63}\.\d{4,}$/, "<experiment>.<four-digit index>");

/** The id of the episode with this number in its experiment, e.g. `shop-1.0007`. */
export function episodeId(experimentId: string, index: number): string {
  return `${experimentId}.${String(index).padStart(4, "0")}`;
}

/** The experiment that an episode belongs to. */
export function experimentIdOf(episodeId: string): string {
  return episodeId.slice(0, episodeId.lastIndexOf("."));
}

/** The number of an episode in its experiment, from 0. */
export function episodeIndexOf(episodeId: string): number {
  return Number(episodeId.slice(episodeId.lastIndexOf(".") + 1));
}

/** A Kubernetes name (DNS-1123 label). */
export const KubeName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    "a name of Kubernetes: at most 63 lower-case letters, digits and dashes, no dash at its ends",
  );

/** A failure's name in the fault library, e.g. `cpu-stress`. */
export const FailureName = z.string().min(1).max(63);

/** The failure of a control: nothing is injected, and what is scored is whether the agent leaves a healthy system healthy. */
export const noFailure = "none";

/** A task's name in the catalogue, e.g. `detection`. */
export const TaskName = z
  .string()
  .max(63)
  .regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and dashes");

/** The task of a request that names none: repair the system. */
export const defaultTask = "mitigation";

/** A model's name as users write it, e.g. `reference/runbook` or `gpt-4.1`. */
export const ModelName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, "printable, without spaces");

/** The model of episodes whose agent calls none: its own code decides. No endpoint has this name. */
export const noModel = "none";

/** Name of a policy that playbooks are checked against before they run: `open`, `guarded`, `readonly`, or one of a file. */
export const PolicyName = z
  .string()
  .min(1)
  .max(63)
  .default("guarded")
  .describe("policy for playbooks: open, guarded, readonly, or an operator's own policy");
