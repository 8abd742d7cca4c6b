import { openClusters } from "@microremed/cluster/kubeconfig";
import { ExecuteCommand, ProbeRequest, subjects } from "@microremed/contracts";
import {
  createPolicyRegistry,
  detectSandbox,
  runPlaybook,
  runProbe,
  runTelemetry,
  startWarmRunner,
} from "@microremed/playbook";
import { createServedShards, followClusters, runService, serveStage } from "@microremed/service-kit";
import { executorConfig } from "./config.ts";
import { execute } from "./handlers/execute.ts";
import { probe } from "./handlers/probe.ts";
import { startJanitor } from "./start-janitor.ts";
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
    isCarried: sandbox.kind === "bubblewrap" && sandbox.network === "api-only",
    runPlaybook: watchPlaybooks((run) => runPlaybook({ ...run, sandbox, warm }), metrics, tracing),
    runProbe,
    runTelemetry,
  };
  const probes = stack.use(
    createServedShards((cluster) =>
      bus.serve(subjects.probe(cluster), service, ProbeRequest, (request, context) =>
        probe(request, deps, context),
      ),
    ),
  );
  const stage = stack.use(
    await serveStage({
      stage: "execute",
      schema: ExecuteCommand,
      shards: [],
      concurrency: config.CONCURRENCY,
      bus,
      state,
      run: (command, context) => execute(command, deps, context),
    }),
  );
  const serve = async (names: readonly string[]): Promise<void> => {
    await Promise.all([stage.follow(names), probes.follow(names)]);
  };
  stack.use(startJanitor(log));
  stack.use(await followClusters({ clusters, state, log, serve }));
});
