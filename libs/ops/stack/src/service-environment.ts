import { delimiter, join, resolve } from "node:path";
import type { User } from "@microremed/contracts";
import type { ServiceName } from "./service-names.ts";
import type { StackAccess, StackOptions } from "./stack.types.ts";

/** What every process needs of its surroundings to run at all. */
const inherited = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "NODE_EXTRA_CA_CERTS"];

/**
 * The environment of one service. Only the remediator inherits all of ours: the keys of models and the proxies to
 * reach them are there; no other service has any use for them. OpenTelemetry's variables are for all alike, but for the
 * service's name, of which each has its own.
 */
export function serviceEnvironment(
  service: ServiceName,
  access: StackAccess,
  options: Pick<StackOptions, "catalogueDirs" | "logLevel" | "modelsFile" | "users">,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = inheritedVariables(own, service === "remediator");
  const catalogueDirs = catalogueDirsOf(options, own);
  const policiesDir = own["POLICIES_DIR"];
  const warmAnsible = own["WARM_ANSIBLE"];
  const sandbox = own["SANDBOX"];
  const modelsFile = options.modelsFile ?? own["MICROREMED_MODELS_FILE"];
  const user = options.users?.[service] ?? service;
  const isGateway = service === "gateway";
  return {
    ...passed,
    NATS_URL: access.natsUrl,
    NATS_USER: user,
    NATS_PASSWORD: access.natsPasswords[user],
    REDIS_URL: redisUrlOf(user, access),
    CLUSTERS_FILE: access.clustersFile,
    REFERENCE_MODELS_URL: access.referenceModelsUrl,
    LOG_LEVEL: options.logLevel ?? "info",
    ...(isGateway && variablesOf("GATEWAY_", own)),
    ...(access.environmentsDir !== undefined && { ENVIRONMENTS_DIR: access.environmentsDir }),
    ...(catalogueDirs.length > 0 && { CATALOGUE_DIRS: catalogueDirs.join(delimiter) }),
    ...(policiesDir !== undefined && { POLICIES_DIR: resolve(policiesDir) }),
    ...(warmAnsible !== undefined && { WARM_ANSIBLE: warmAnsible }),
    ...(sandbox !== undefined && { SANDBOX: sandbox }),
    ...(modelsFile !== undefined && { MICROREMED_MODELS_FILE: modelsFile }),
  };
}

/**
 * One warm Ansible for the executors of all processes with clusters, kept by the first one's: to import Ansible takes most of a
 * second of CPU. Where the first is not there, the others run playbooks by the plain command.
 */
export function warmAnsibleOf(
  host: number,
  { WARM_ANSIBLE }: Readonly<Record<string, string>>,
  dir: string,
): Record<string, string> {
  if (WARM_ANSIBLE === "false") return {};
  return { WARM_ANSIBLE: String(host === 1), WARM_ANSIBLE_ADDRESS: join(dir, "warm-ansible") };
}

/** What a process gets of our environment variables: all of them, or what none can do without. */
export function inheritedVariables(
  own: NodeJS.ProcessEnv = process.env,
  all = false,
): Record<string, string> {
  const { OTEL_SERVICE_NAME: _, ...rest } = own;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => {
      const isPassed = all || inherited.includes(name) || name.startsWith("OTEL_");
      return isPassed && value !== undefined ? [[name, value]] : [];
    }),
  );
}

/** Our variables whose names begin so. */
function variablesOf(prefix: string, own: NodeJS.ProcessEnv): Record<string, string> {
  const named = Object.entries(own).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Users' folders of entries, as absolute paths. */
export function catalogueDirsOf(
  { catalogueDirs }: Pick<StackOptions, "catalogueDirs">,
  own: NodeJS.ProcessEnv = process.env,
): string[] {
  const dirs = catalogueDirs ?? (own["CATALOGUE_DIRS"] ?? "").split(delimiter);
  return dirs.filter((dir) => dir !== "").map((dir) => resolve(dir));
}

function redisUrlOf(user: User, { redisUrl, redisPasswords }: StackAccess): string {
  const url = new URL(redisUrl);
  url.username = user;
  url.password = redisPasswords[user];
  return url.href;
}
