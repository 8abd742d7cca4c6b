import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createEnvironmentRegistry, loadEnvironment } from "@microremed/environments";
import { startReferenceModels } from "@microremed/reference-models";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { startEmbeddedClusters } from "./embedded-clusters.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { serviceMain, serviceNames } from "./service-names.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import type { Stack, StackAccess, StackOptions } from "./stack.types.ts";
import { refuseIfInUse, writeStackFile } from "./stack-file.ts";

const READY_WITHIN_MS = 30_000;
/** Services hold little; a leak should end in a restart rather than in a full machine. */
const SERVICE_HEAP_MIB = 256;

/**
 * Starts NATS, Redis, the embedded clusters, the reference models and the services, and returns when every service
 * is ready. Nothing is left running when it throws: the error says which part did not start and why.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  await using started = new AsyncDisposableStack();
  const dir = await makeDirectory(options, started);
  await refuseIfInUse(dir);
  const additional = await placeEnvironment(options, dir);
  const user = "microremed";
  const password = randomBytes(24).toString("base64url");
  const redisPassword = randomBytes(24).toString("base64url");

  const [nats, redis, models, clusters] = await startTogether(started, [
    startNatsServer({ dir: join(dir, "nats"), user, password }),
    startRedisServer({ dir: join(dir, "redis"), password: redisPassword }),
    startReferenceModels({}),
    startClusters(options, dir, additional),
  ]);
  const access: StackAccess = {
    natsUrl: nats.url,
    natsUser: user,
    natsPassword: password,
    redisUrl: redis.url,
    clustersFile: clusters.clustersFile,
    referenceModelsUrl: models.url,
    ...(additional && { environmentsDir: additional.dir }),
  };
  started.use(await writeStackFile(dir, access));
  options.log.info({ dir, clusters: clusters.names }, "servers and clusters are up");

  const services = await startServices(options, dir, access, started);
  const owned = started.move();
  return {
    ...access,
    dir,
    clusters: clusters.names,
    services,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function makeDirectory(options: StackOptions, started: AsyncDisposableStack): Promise<string> {
  if (options.dir !== undefined) {
    const dir = resolve(options.dir);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return dir;
  }
  const dir = await mkdtemp(join(tmpdir(), "microremed-stack-"));
  if (!options.keep) started.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

interface Additional {
  readonly name: string;
  readonly dir: string;
}

/** Checks the additional environment and puts it where registries look for it. */
async function placeEnvironment(options: StackOptions, dir: string): Promise<Additional | undefined> {
  if (options.environmentFile === undefined) return undefined;
  const text = await readFile(options.environmentFile, "utf8");
  const { name } = loadEnvironment(text, options.environmentFile);
  const environmentsDir = join(dir, "environments");
  await mkdir(environmentsDir, { recursive: true, mode: 0o700 });
  await writeFile(join(environmentsDir, `${name}.yaml`), text);
  return { name, dir: environmentsDir };
}

async function startClusters(options: StackOptions, dir: string, additional: Additional | undefined) {
  if (typeof options.clusters !== "string") {
    const names = new Set([...options.clusters.environments, ...(additional ? [additional.name] : [])]);
    const clusters = { ...options.clusters, environments: [...names] };
    return startEmbeddedClusters(clusters, dir, createEnvironmentRegistry(additional?.dir));
  }
  const clustersFile = resolve(options.clusters);
  return { names: [], clustersFile, [Symbol.asyncDispose]: async () => {} };
}

/** Waits for all even when one fails, so that none is left running that nobody knows of. They end together too. */
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

function startServices(
  options: StackOptions,
  dir: string,
  access: StackAccess,
  started: AsyncDisposableStack,
): Promise<ServiceProcess[]> {
  const parts = serviceNames.flatMap((service) => {
    const replicas = options.replicas?.[service] ?? 1;
    return Array.from({ length: replicas }, (_, index) => {
      const name = replicas === 1 ? service : `${service}-${index + 1}`;
      return startService({
        name,
        main: serviceMain(service),
        env: serviceEnvironment(service, access, options),
        logFile: join(dir, `${name}.log`),
        maxOldSpaceMiB: SERVICE_HEAP_MIB,
        readyWithinMs: READY_WITHIN_MS,
        log: options.log,
      });
    });
  });
  return startTogether(started, parts);
}
