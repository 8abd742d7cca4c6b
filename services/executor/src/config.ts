import { availableParallelism } from "node:os";
import { sandboxNames } from "@microremed/sandbox";
import { z } from "zod";
import { runnerConfig } from "./runner-config.ts";

/** The executor's environment variables beyond those of every service. */
export const executorConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters of the playbooks that this executor runs"),
  POLICIES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("folder with your own playbook policies, one YAML file each; the same as the scheduler's"),
  SANDBOX: z
    .enum(sandboxNames)
    .default("auto")
    .describe(
      "sandbox of playbooks and probes. auto: bubblewrap where it is complete, else a pod for each run where the executor may make pods, else the executor refuses to start; none runs them without a sandbox",
    ),
  ...runnerConfig,
  WARM_ANSIBLE: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true")
    .describe(
      "keep a process with Ansible imported, which runs playbooks like ansible-playbook but starts faster",
    ),
  WARM_ANSIBLE_ADDRESS: z
    .string()
    .optional()
    .describe(
      "file with the address of such a process: written with WARM_ANSIBLE=true; with false the process of another executor of this machine and user is used, which writes it",
    ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(availableParallelism() + 1)
    .describe(
      "maximum concurrent playbooks; default: the number of cores plus one, because Ansible also waits",
    ),
};
