import { createSandboxedRunner, startWarmRunner } from "@microremed/ansible/sandboxed";
import { openClusters } from "@microremed/cluster/kubeconfig";
import { createSandboxedProber } from "@microremed/kubectl/sandboxed";
import { createPolicyRegistry } from "@microremed/policies";
import { openSandbox } from "@microremed/sandbox";
import { runService } from "@microremed/service-kit";
import { executorConfig } from "./config.ts";
import { startExecutor } from "./service.ts";
import { startJanitor } from "./start-janitor.ts";
import { watchPlaybooks } from "./watch-playbooks.ts";

await runService("executor", executorConfig, async (context) => {
  const { config, log, metrics, tracing, bus, state, stack } = context;
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const policies = createPolicyRegistry(config.POLICIES_DIR);
  const sandbox = await openSandbox({ name: config.SANDBOX, searchPath: process.env["PATH"] ?? "", log });
  const warm = config.WARM_ANSIBLE ? stack.use(startWarmRunner({ log, sandbox })) : undefined;
  stack.use(startJanitor(log));
  stack.use(
    await startExecutor({
      bus,
      state,
      log,
      clusters,
      policies,
      isCarried: sandbox.kind === "bubblewrap",
      runPlaybook: watchPlaybooks(createSandboxedRunner({ sandbox, warm }), metrics, tracing),
      ...createSandboxedProber(sandbox),
      concurrency: config.CONCURRENCY,
    }),
  );
});
