import { openClusters } from "@microremed/cluster/kubeconfig";
import {
  createPolicyRegistry,
  detectSandbox,
  runPlaybook,
  runProbe,
  runTelemetry,
  startWarmRunner,
} from "@microremed/playbook";
import { runService } from "@microremed/service-kit";
import { executorConfig } from "./config.ts";
import { startExecutor } from "./service.ts";
import { startJanitor } from "./start-janitor.ts";
import { watchPlaybooks } from "./watch-playbooks.ts";

await runService("executor", executorConfig, async (context) => {
  const { config, log, metrics, tracing, bus, state, stack } = context;
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const policies = createPolicyRegistry(config.POLICIES_DIR);
  const sandbox = await detectSandbox(log, process.env["PATH"] ?? "");
  const warm = config.WARM_ANSIBLE ? stack.use(startWarmRunner({ log, sandbox })) : undefined;
  stack.use(startJanitor(log));
  stack.use(
    await startExecutor({
      bus,
      state,
      log,
      clusters,
      policies,
      isCarried: sandbox.kind === "bubblewrap" && sandbox.network === "api-only",
      runPlaybook: watchPlaybooks((run) => runPlaybook({ ...run, sandbox, warm }), metrics, tracing),
      runProbe,
      runTelemetry,
      concurrency: config.CONCURRENCY,
    }),
  );
});
