import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import type { Logger } from "@microremed/core";
import { readEnvironment } from "@microremed/environments";
import { startReferenceModels } from "@microremed/reference-models";
import { loadCatalogue } from "@microremed/registry";
import {
  generatePasswords,
  makeOwnedDirectory,
  removeLeftBehind,
  type SupervisedServer,
  startNatsServer,
  startRedisServer,
  steadyPort,
  superviseServer,
  whenOrphaned,
} from "@microremed/servers";
import { allOrNone } from "./all-or-none.ts";
import { type ServicesOf, type StartedClusters, startEmbeddedClusters } from "./embedded-clusters.ts";
import { writeMetricsTargets } from "./metrics-targets.ts";
import { startScheduling } from "./scheduling/start-scheduling.ts";
import { catalogueDirsOf, serviceEnvironment, warmAnsibleOf } from "./service-environment.ts";
import {
  type HostedServiceName,
  hostedServiceNames,
  type ServiceName,
  serviceMain,
  serviceNames,
} from "./service-names.ts";
import { startService } from "./service-process.ts";
import type { Stack, StackAccess, StackOptions, StackServer, StackService } from "./stack.types.ts";
import { refuseIfInUse, writeStackFile } from "./stack-file.ts";

const READY_WITHIN_MS = 30_000;
/** Services hold little; a leak should end in a restart rather than in a full machine. */
const SERVICE_HEAP_MIB = 256;
/** How long the parts of a stack need to end when this process is killed. */
const ORPHANS_END_WITHIN_SECONDS = 5;

/**
 * Starts NATS, Redis, the embedded clusters, the reference models and the services, and returns when every service
 * is ready. Nothing is left running when it throws: the error says which part did not start and why. Nothing is left
 * either, after a few seconds, when this process is killed.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  await using started = new AsyncDisposableStack();
  const dir = await makeDirectory(options, started);
  await refuseIfInUse(dir);
  const additional = await placeEnvironment(options, dir);
  options.signal?.throwIfAborted();
  const { faults } = await loadCatalogue({ dirs: catalogueDirsOf(options) });
  const natsPasswords = generatePasswords();
  const redisPasswords = generatePasswords();

  const [nats, redis, models, clusters] = await startTogether(started, [
    superviseServer(
      "nats",
      (port) => startNatsServer({ dir: join(dir, "nats"), passwords: natsPasswords, ...(port && { port }) }),
      options.log,
    ),
    superviseServer(
      "redis",
      (port) =>
        startRedisServer({ dir: join(dir, "redis"), passwords: redisPasswords, ...(port && { port }) }),
      options.log,
    ),
    startReferenceModels({ faults: faults.all() }),
    startClusters(options, dir, additional),
  ]);
  const access: StackAccess = {
    natsUrl: nats.url,
    natsUser: "client",
    natsPassword: natsPasswords.client,
    natsPasswords,
    redisUrl: redis.url,
    redisPasswords,
    clustersFile: clusters.clustersFile,
    referenceModelsUrl: models.url,
    ...(additional && { environmentsDir: additional.dir }),
  };
  await createStreams(access, options.log);
  started.use(await writeStackFile(dir, access));
  options.log.info({ dir, clusters: clusters.names }, "servers and clusters are up");

  const gatewayPorts = await Promise.all(
    (options.gatewayPorts ?? []).map((port) => (port === 0 ? steadyPort() : port)),
  );
  const services: StackService[] = [];
  const listTargets = (): Promise<void> => writeMetricsTargets(dir, services);
  // While the range ends, its directory may be gone.
  const onRestart = (): void => void listTargets().catch(() => undefined);
  // What works on clusters ends before NATS and Redis do.
  started.defer(() => clusters[Symbol.asyncDispose]());
  const parts = await allOrNone(options.signal, (signal) => [
    clusters.serve((host, hosts) => hostedServices(options, dir, access, { host, hosts }), onRestart),
    startServices({ ...options, gatewayPorts, signal }, dir, access, started, onRestart),
  ]);
  services.push(...parts.flat());
  await listTargets();
  const owned = started.move();
  return {
    ...access,
    dir,
    get clusters() {
      return clusters.names;
    },
    get clusterPids() {
      return clusters.pids;
    },
    gateways: gatewayPorts.map((port) => `http://127.0.0.1:${port}`),
    services,
    servers: [serverOf("nats", nats), serverOf("redis", redis)],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** No service may. */
async function createStreams({ natsUrl, natsPasswords }: StackAccess, log: Logger): Promise<void> {
  const admin = { user: "admin", password: natsPasswords.admin };
  await using bus = await connectNatsBus({ servers: natsUrl, ...admin, name: "microremed-stack", log });
  await bus.ensureStreams();
}

function serverOf(name: StackServer["name"], server: SupervisedServer): StackServer {
  return {
    name,
    get pid() {
      return server.pid;
    },
    get restarts() {
      return server.restarts;
    },
  };
}

async function makeDirectory(options: StackOptions, started: AsyncDisposableStack): Promise<string> {
  if (options.dir !== undefined) {
    const dir = resolve(options.dir);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return dir;
  }
  await removeLeftBehind();
  if (options.keep) return await mkdtemp(join(tmpdir(), "microremed-kept-"));
  const dir = await makeOwnedDirectory("stack");
  // It holds credentials, so it must not outlive us; services and servers have ended by then.
  const guard = whenOrphaned(`sleep ${ORPHANS_END_WITHIN_SECONDS}; rm -rf "$1"`, [dir]);
  started.defer(async () => {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    guard.release();
  });
  return dir;
}

interface Additional {
  readonly name: string;
  readonly dir: string;
}

/** Checks the additional environment and puts it where registries look for it. */
async function placeEnvironment(options: StackOptions, dir: string): Promise<Additional | undefined> {
  if (options.environmentFolder === undefined) return undefined;
  const { name } = readEnvironment(options.environmentFolder);
  const environmentsDir = join(dir, "environments");
  await mkdir(environmentsDir, { recursive: true, mode: 0o700 });
  await cp(options.environmentFolder, join(environmentsDir, name), { recursive: true });
  return { name, dir: environmentsDir };
}

async function startClusters(
  options: StackOptions,
  dir: string,
  additional: Additional | undefined,
): Promise<StartedClusters> {
  if (typeof options.clusters !== "string") {
    const names = new Set([...options.clusters.environments, ...(additional ? [additional.name] : [])]);
    return startEmbeddedClusters({
      ...options.clusters,
      environments: [...names],
      dir,
      own: { environmentsDir: additional?.dir, catalogueDirs: catalogueDirsOf(options) },
      log: options.log,
      signal: options.signal,
    });
  }
  const clustersFile = resolve(options.clusters);
  return {
    names: [],
    pids: new Map<string, number>(),
    clustersFile,
    serve: async () => [],
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Waits for all even when one fails, so that none is left running unnoticed. They end together too. */
async function startTogether<P extends readonly Promise<AsyncDisposable>[] | []>(
  started: AsyncDisposableStack,
  parts: P,
) {
  const settled = await Promise.allSettled(parts);
  const running = settled.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  started.defer(async () => {
    await Promise.all(running.map((part) => part[Symbol.asyncDispose]()));
  });
  return Promise.all(parts);
}

/** Whether a service may share a process with others: only where no option asks for processes of their own. */
function mayShare({ clusters, replicas, mains, variables }: StackOptions, service: ServiceName): boolean {
  if (typeof clusters === "string" || typeof variables === "function") return false;
  return replicas?.[service] === undefined && mains?.[service] === undefined;
}

/** Whether a service runs in the processes of the embedded clusters. */
const isHosted = (options: StackOptions, service: ServiceName): service is HostedServiceName =>
  mayShare(options, service) && hostedServiceNames.some((name) => name === service);

/** Whether the scheduler and the remediator share a process. */
const isShared = (options: StackOptions): boolean => schedulingNames.every((name) => mayShare(options, name));

const schedulingNames: readonly ServiceName[] = ["scheduler", "remediator"];

/** The services of one process with embedded clusters. */
function hostedServices(
  options: StackOptions,
  dir: string,
  access: StackAccess,
  { host, hosts }: { readonly host: number; readonly hosts: number },
): ReturnType<ServicesOf> {
  return serviceNames.flatMap((service) => {
    if (!isHosted(options, service)) return [];
    const name = hosts === 1 ? service : `${service}-${host}`;
    const given = serviceEnvironment(service, access, options);
    const more = typeof options.variables === "function" ? {} : options.variables;
    // Together they run as many playbooks as one executor would.
    const CONCURRENCY = String(Math.ceil((availableParallelism() + 1) / hosts));
    const variables = {
      ...given,
      ...(service === "executor" && { CONCURRENCY, ...warmAnsibleOf(host, given, dir) }),
      ...more,
    };
    return [{ service, name, variables, logFile: join(dir, `${name}.log`) }];
  });
}

/** Those that are not in the processes of the clusters. */
async function startServices(
  options: StackOptions,
  dir: string,
  access: StackAccess,
  started: AsyncDisposableStack,
  onRestart: () => void,
): Promise<StackService[]> {
  const common = {
    maxOldSpaceMiB: SERVICE_HEAP_MIB,
    readyWithinMs: READY_WITHIN_MS,
    log: options.log,
    onRestart,
    signal: options.signal,
  };
  const shared = isShared(options);
  const parts = serviceNames.flatMap((service): Promise<StartedServices>[] => {
    if (isHosted(options, service)) return [];
    if (shared && service === "remediator") return [];
    if (shared && service === "scheduler")
      return [startScheduling(common, schedulingParts(options, dir, access))];
    const ports = service === "gateway" ? (options.gatewayPorts ?? []) : undefined;
    const replicas = ports?.length ?? options.replicas?.[service] ?? 1;
    return Array.from({ length: replicas }, async (_, index) => {
      const name = replicas === 1 ? service : `${service}-${index + 1}`;
      const given = serviceEnvironment(service, access, options);
      const { variables } = options;
      const more = typeof variables === "function" ? await variables(name, given) : variables;
      const process = await startService({
        ...common,
        name,
        main: options.mains?.[service] ?? serviceMain(service),
        env: { ...given, ...(ports && { GATEWAY_PORT: String(ports[index]) }), ...more },
        logFile: join(dir, `${name}.log`),
      });
      return { services: [process], [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
    });
  });
  return (await startTogether(started, parts)).flatMap(({ services }) => services);
}

/** The services of one process. */
interface StartedServices extends AsyncDisposable {
  readonly services: readonly StackService[];
}

function schedulingParts(options: StackOptions, dir: string, access: StackAccess) {
  const more = typeof options.variables === "function" ? {} : options.variables;
  const part = (service: "scheduler" | "remediator") => ({
    variables: { ...serviceEnvironment(service, access, options), ...more },
    logFile: join(dir, `${service}.log`),
  });
  return { scheduler: part("scheduler"), remediator: part("remediator") };
}
