import { createSandboxedRunner, startWarmRunner, useWarmRunner } from "@microremed/ansible/sandboxed";
import type { Clusters } from "@microremed/cluster";
import { connectStreamingCluster, openClusters, type StreamingCluster } from "@microremed/cluster/kubeconfig";
import type { Logger } from "@microremed/core";
import { createSandboxedProber } from "@microremed/kubectl/sandboxed";
import { createPolicyRegistry } from "@microremed/policies";
import { openSandbox } from "@microremed/sandbox";
import { createPodsOpener } from "@microremed/sandbox/pods";
import type { ServiceDefinition } from "@microremed/service-kit";
import { executorConfig } from "./config.ts";
import { runnerSettings } from "./runner-config.ts";
import { startExecutor } from "./service.ts";
import { startJanitor } from "./start-janitor.ts";
import { watchPlaybooks } from "./watch-playbooks.ts";

/** Opens the clusters of a clusters file. */
type Open = (file: string, options: { readonly log: Logger }) => Promise<Clusters>;

/**
 * The executor with NATS, Redis and its environment variables. `open` may give other clusters than those of the file;
 * `kubernetes` is their version, such as `1.31`, if all have the same.
 */
export function executorService(
  open: Open = openClusters,
  kubernetes?: string,
): ServiceDefinition<typeof executorConfig> {
  return {
    name: "executor",
    config: executorConfig,
    start: async (context) => {
      const { config, log, metrics, tracing, bus, state, stack } = context;
      const clusters = stack.use(await open(config.CLUSTERS_FILE, { log }));
      const policies = createPolicyRegistry(config.POLICIES_DIR);
      const settings = runnerSettings(config, { host: config.HEALTH_HOST, port: config.HEALTH_PORT });
      const { RUNNER_KUBECONFIG: kubeconfig = "" } = config;
      const sandbox = await openSandbox({
        name: config.SANDBOX,
        searchPath: process.env["PATH"] ?? "",
        log,
        kubernetes,
        pods: settings && createPodsOpener({ connect: () => connectRunners(kubeconfig, log), settings, log }),
      });
      if (sandbox.kind === "pods") stack.use(sandbox.runners);
      const { WARM_ANSIBLE_ADDRESS: addressFile } = config;
      const warm = config.WARM_ANSIBLE
        ? stack.use(startWarmRunner({ log, sandbox, addressFile }))
        : addressFile === undefined
          ? undefined
          : useWarmRunner(addressFile);
      stack.use(startJanitor(log));
      stack.use(
        await startExecutor({
          bus,
          state,
          log,
          clusters,
          policies,
          isCarried: sandbox.kind !== "none",
          runPlaybook: watchPlaybooks(createSandboxedRunner({ sandbox, warm }), metrics, tracing),
          ...createSandboxedProber(sandbox),
          concurrency: config.CONCURRENCY,
        }),
      );
    },
  };
}

function connectRunners(kubeconfig: string, log: Logger): Promise<StreamingCluster> {
  return connectStreamingCluster({ name: "runners", kubeconfig, arenas: 1 }, { log });
}
