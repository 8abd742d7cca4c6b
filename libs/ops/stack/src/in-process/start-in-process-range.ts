import { createInProcessRunner } from "@microremed/ansible/in-process";
import { createMemoryBroker, createMemoryBus } from "@microremed/bus/memory";
import { createInProcessClusters, type InProcessClusters } from "@microremed/cluster/in-process";
import { containForeignErrors, type Logger, silentLogger } from "@microremed/core";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import { createPolicyRegistry, type PolicyRegistry } from "@microremed/policies";
import { createRangeClient, type RangeClient } from "@microremed/range-client";
import { referenceFetch } from "@microremed/reference-models";
import type { Catalogue } from "@microremed/registry";
import { type ExecutorDeps, startExecutor } from "@microremed/service-executor";
import { type Gateway, gatewayConfig, startGateway } from "@microremed/service-gateway";
import { startInjector } from "@microremed/service-injector";
import { parseConfig } from "@microremed/service-kit";
import {
  connectModels,
  openModels,
  type RemediatorDeps,
  remediatorConfig,
  startRemediator,
} from "@microremed/service-remediator";
import { createCatalog, startScheduler } from "@microremed/service-scheduler";
import { startVerifier } from "@microremed/service-verifier";
import { createLocalCluster } from "@microremed/simcluster";
import type { State } from "@microremed/state";
import { createMemoryState, type MemoryState } from "@microremed/state/memory";

/** What runs an agent's playbooks and probes. */
export interface InProcessRunner
  extends Pick<ExecutorDeps, "runPlaybook" | "runCommand" | "runProbe" | "runTelemetry"> {
  readonly policies: PolicyRegistry;
}

/** What a range in one process is made of. `catalogue` and `environments` are needed. */
export interface InProcessRangeOptions {
  readonly catalogue: Catalogue;
  /** Catalogues of single services, where theirs differ from `catalogue`. */
  readonly catalogues?: Readonly<
    Partial<Record<"scheduler" | "injector" | "remediator" | "verifier", Catalogue>>
  >;
  /** Names of the environments whose programs the clusters can run. */
  readonly environments: readonly string[];
  /** Embedded clusters, each with one arena. Default: 1. */
  readonly clusters?: number;
  /** Seed of the clusters. Default: 1. */
  readonly seed?: number;
  /** Default: an interpreter of the subset of Ansible and kubectl that `@microremed/ansible` documents. */
  readonly runner?: (clusters: InProcessClusters) => InProcessRunner;
  /** Models and how they are reached. Default: the reference models and those that `env` configures. */
  readonly models?: Pick<RemediatorDeps, "models" | "connectModel">;
  /** Models, policies, idle agents and the directory of telemetry, as the services' environment variables configure them. Default: nothing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: Logger;
  /** Starts a gateway on this port; 0: any free one. Its other settings are in `env`. Default: none. */
  readonly gatewayPort?: number;
}

/** Five services, an in-memory bus and state, and embedded clusters: a whole range without a process, and without a socket but the gateway's. */
export interface InProcessRange extends AsyncDisposable {
  readonly client: RangeClient;
  readonly state: MemoryState;
  readonly clusters: InProcessClusters;
  /** Undefined: none was asked for. */
  readonly gateway: Gateway | undefined;
}

/** Nothing listens there: the reference models answer in this process. */
const referenceUrl = "http://reference-models.invalid/v1";

/** Of each stream: the events of some 10,000 episodes. */
const streamBytes = 64 * 2 ** 20;

/**
 * Starts a range in this process. Each service has its own connection to the bus and the state, as it would have as a
 * process. Cluster time goes as fast as it can be computed. Disposing ends everything; nothing outlives the process.
 */
export async function startInProcessRange(options: InProcessRangeOptions): Promise<InProcessRange> {
  const { catalogues = {}, log = silentLogger, env = {}, runner: createRunner = interpreters(env) } = options;
  const { injector, remediator, verifier, scheduler = options.catalogue } = catalogues;
  await using started = new AsyncDisposableStack();
  started.use(
    containForeignErrors((owner, thrown) =>
      log.warn(
        { error_stack: (thrown as Error | null)?.stack },
        `left an error unhandled, nothing ends: ${owner}`,
      ),
    ),
  );
  const clusters = started.use(openClusters(options, started));
  const broker = createMemoryBroker({ mostBytes: streamBytes });
  const shared = started.use(createMemoryState());
  const connect = (catalogue = options.catalogue) => ({
    log,
    clusters,
    catalogue,
    bus: started.use(createMemoryBus({ broker, log })),
    state: started.use(shared.connect()),
    concurrency: 16,
  });
  const runner = createRunner(clusters);
  const services = [
    () =>
      startInjector({
        ...connect(injector),
        idleMs: Number.POSITIVE_INFINITY,
        telemetryDir: env["TELEMETRY_DIR"],
      }),
    () => startExecutor({ ...connect(), ...runner, isCarried: false }),
    () => startVerifier(connect(verifier)),
    async () => {
      const deps = connect(remediator);
      return startRemediator({ ...deps, ...(options.models ?? (await modelsOf(env, deps))) });
    },
    () => {
      const deps = connect(scheduler);
      return startScheduler({
        ...deps,
        catalog: createCatalog(scheduler, clusters, runner.policies.names),
        clusters: () => clusters.entries,
        range: "in-process",
        now: () => deps.state.now(),
        onStep: () => {},
      });
    },
  ];
  for (const start of services) started.use(await start());
  const { bus, state } = connect();
  const gateway = await gatewayOf(options, connect());
  if (gateway) started.use(gateway);
  const owned = started.move();
  return {
    client: createRangeClient(bus),
    state,
    clusters,
    gateway,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function openClusters(
  { catalogue, environments, clusters = 1, seed = 1, log = silentLogger }: InProcessRangeOptions,
  started: AsyncDisposableStack,
): InProcessClusters {
  const systems = environments.map((name) => catalogue.environments.get(name));
  return createInProcessClusters(
    Array.from({ length: clusters }, (_, index) => {
      const api = started.use(createLocalCluster({ seed, environments: systems, log, ownPods: true }));
      return { name: `embedded-${index + 1}`, api, adminToken: api.adminToken, goesBack: true };
    }),
  );
}

async function gatewayOf(
  { gatewayPort, env = {} }: InProcessRangeOptions,
  deps: Omit<Parameters<typeof startGateway>[0], "config">,
): Promise<Gateway | undefined> {
  if (gatewayPort === undefined) return undefined;
  const config = parseConfig(gatewayConfig, { ...env, GATEWAY_PORT: String(gatewayPort) });
  return startGateway({ ...deps, config });
}

/** Playbooks and commands without a process or a sandbox: what is not in the subset is refused as the harness's error. */
const interpreters =
  (env: InProcessRangeOptions["env"]) =>
  (clusters: InProcessClusters): InProcessRunner => ({
    policies: createPolicyRegistry(env?.["POLICIES_DIR"] || undefined),
    runPlaybook: createInProcessRunner(clusters.open),
    ...createInProcessProber(clusters.open),
  });

/** Throws `invalid-config` when a models file or a cassette is wrong. */
async function modelsOf(
  env: NonNullable<InProcessRangeOptions["env"]>,
  { catalogue, state, log }: { readonly catalogue: Catalogue; readonly state: State; readonly log: Logger },
) {
  const config = parseConfig(remediatorConfig, { ...env, REFERENCE_MODELS_URL: referenceUrl });
  const { models, cassette, judge } = await openModels(config, env);
  return {
    models,
    recorded: judge,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    connectModel: connectModels({
      state,
      log,
      cassette,
      referenceFetch: referenceFetch(catalogue.faults.all()),
    }),
  };
}
