import { openClusters } from "@microremed/cluster/kubeconfig";
import { ActCommand } from "@microremed/contracts";
import { createPolicyRegistry, detectSandbox, runPlaybook } from "@microremed/playbook";
import { runService, serveStage } from "@microremed/service-kit";
import { executorConfig } from "../config.ts";
import { act } from "../handlers/act.ts";

/** The executor as it is on a machine that permits no namespaces. */
await runService("executor", executorConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const { tools } = await detectSandbox(log, process.env["PATH"] ?? "");
  const sandbox = { kind: "process-group", why: "a test", tools } as const;
  const deps = {
    clusters,
    policies: createPolicyRegistry(undefined),
    isCarried: false,
    runPlaybook: (run: Parameters<typeof runPlaybook>[0]) => runPlaybook({ ...run, sandbox }),
  };
  stack.use(
    await serveStage({
      stage: "act",
      schema: ActCommand,
      shards: clusters.names,
      concurrency: 1,
      bus,
      state,
      run: (command, context) => act(command, deps, context),
    }),
  );
});
