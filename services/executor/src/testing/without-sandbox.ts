import { createSandboxedRunner } from "@microremed/ansible/sandboxed";
import { openClusters } from "@microremed/cluster/kubeconfig";
import { createSandboxedProber } from "@microremed/kubectl/sandboxed";
import { createPolicyRegistry } from "@microremed/policies";
import { openSandbox } from "@microremed/sandbox";
import { runService, serveStage } from "@microremed/service-kit";
import { executorConfig } from "../config.ts";
import { act } from "../handlers/act.ts";

/** The executor as it is on a machine that permits no namespaces. */
await runService({
  name: "executor",
  config: executorConfig,
  start: async ({ config, log, bus, state, stack }) => {
    const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
    const sandbox = await openSandbox({ name: "none", searchPath: process.env["PATH"] ?? "", log });
    const deps = {
      clusters,
      policies: createPolicyRegistry(undefined),
      isCarried: false,
      runPlaybook: createSandboxedRunner({ sandbox }),
      ...createSandboxedProber(sandbox),
    };
    stack.use(
      await serveStage({
        stage: "act",
        shards: clusters.names,
        concurrency: 1,
        bus,
        state,
        run: (command, context) =>
          act(command, deps, { ...context, begin: () => state.starts.begin({ ...command, stage: "act" }) }),
      }),
    );
  },
});
