import { ExecuteCommand, ProbeRequest, subjects } from "@microremed/contracts";
import { openClusters } from "@microremed/kube";
import {
  createPolicyRegistry,
  detectSandbox,
  runPlaybook,
  runProbe,
  runTelemetry,
  startWarmRunner,
} from "@microremed/playbook";
import { runService, serveStage } from "@microremed/service-kit";
import { executorConfig } from "./config.ts";
import { execute } from "./handlers/execute.ts";
import { probe } from "./handlers/probe.ts";
import { watchPlaybooks } from "./watch-playbooks.ts";

const service = "executor";

await runService(service, executorConfig, async (context) => {
  const { config, log, metrics, tracing, bus, state, stack } = context;
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const policies = createPolicyRegistry(config.POLICIES_DIR);
  const sandbox = await detectSandbox(log, process.env["PATH"] ?? "");
  const warm = config.WARM_ANSIBLE ? stack.use(startWarmRunner({ log, sandbox })) : undefined;
  const deps = {
    clusters,
    policies,
    runPlaybook: watchPlaybooks((run) => runPlaybook({ ...run, sandbox, warm }), metrics, tracing),
    runProbe,
    runTelemetry,
  };
  for (const name of clusters.names) {
    stack.use(
      await bus.serve(subjects.probe(name), service, ProbeRequest, (request, context) =>
        probe(request, deps, context),
      ),
    );
  }
  stack.use(
    await serveStage({
      stage: "execute",
      schema: ExecuteCommand,
      shards: clusters.names,
      concurrency: config.CONCURRENCY,
      bus,
      state,
      run: (command, context) => execute(command, deps, context),
    }),
  );
});
