import { availableParallelism } from "node:os";
import { sandboxNames } from "@microremed/sandbox";
import { z } from "zod";

/** The executor's environment variables beyond those of every service. */
export const executorConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose playbooks are run here"),
  POLICIES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("folder with playbook policies of your own, one YAML file each; as the scheduler's"),
  SANDBOX: z
    .enum(sandboxNames)
    .default("bubblewrap")
    .describe(
      "what playbooks and probes are confined in; where bubblewrap is not complete the executor does not start, and none runs them without a sandbox",
    ),
  WARM_ANSIBLE: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true")
    .describe(
      "keep a process with Ansible imported, which runs playbooks as ansible-playbook would, only sooner",
    ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(availableParallelism() + 1)
    .describe("playbooks at once; default: one more than there are cores, for Ansible also waits"),
};
