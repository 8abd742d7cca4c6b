import type { ContainerSpec } from "./environment.types.ts";
import type { Behaviour } from "./format.ts";
import { imageTools } from "./image-tools.ts";

type Runtime = Behaviour["runtime"];

/** Runtimes by what images and commands are called; the first that fits. Others are taken for a small native program. */
const runtimes: readonly (readonly [RegExp, Runtime])[] = [
  [/\b(kafka|redpanda)\b/, "kafka"],
  [/\b(mongo|mongod|mongodb)\b/, "mongodb"],
  [/\b(postgres|postgresql|postgis|timescaledb)\b/, "postgresql"],
  [/\b(mysql|mariadb|percona|mysqld)\b/, "mysql"],
  [/\b(redis|valkey|keydb|dragonfly)\b/, "redis"],
  [/\b(memcached)\b/, "memcached"],
  [/\b(rabbitmq)\b/, "rabbitmq"],
  [/^nats(-server)?(:|$)|\/nats-server$/, "nats"],
  [/\b(nginx|openresty)\b/, "nginx"],
  [/\b(envoy)\b/, "envoy"],
  [/\b(locust)\b/, "locust"],
  [
    /\b(java|openjdk|jre|jdk|temurin|spring|tomcat|elasticsearch|opensearch|nacos|zookeeper|zipkin)\b/,
    "java",
  ],
  [/\b(node|npm|yarn|nodejs)\b/, "node"],
  [/\b(python3?|flask|gunicorn|uvicorn|django)\b/, "python"],
  [/\b(dotnet|aspnet)\b/, "dotnet"],
  [/\b(php|apache|httpd|wordpress)\b/, "php"],
  [/\b(ruby|rails|puma)\b/, "ruby"],
];

type Use = Pick<Behaviour, "startupCpuSeconds" | "idleCpuMillicores" | "cpuMillisPerRequest" | "memoryMi">;
const use = (startup: number, idle: number, perRequest: number, memoryMi: number): Use => ({
  startupCpuSeconds: startup,
  idleCpuMillicores: idle,
  cpuMillisPerRequest: perRequest,
  memoryMi,
});
/** Orders of magnitude, as small programs of each runtime have them. */
const typical: Partial<Record<Runtime, Use>> = {
  java: use(8, 5, 4, 300),
  node: use(1.5, 2, 3, 65),
  python: use(1.2, 3, 4, 50),
  locust: use(2, 5, 5, 60),
  dotnet: use(2, 3, 2, 75),
  nginx: use(0.05, 1, 0.1, 6),
  redis: use(0.05, 3, 0.1, 8),
  memcached: use(0.02, 1, 0.05, 6),
  mysql: use(3, 8, 0.5, 280),
  postgresql: use(0.5, 4, 0.5, 60),
  mongodb: use(1, 8, 0.5, 120),
  kafka: use(8, 20, 0.3, 420),
  php: use(0.3, 1, 6, 40),
  ruby: use(1.5, 2, 5, 80),
  elixir: use(3, 5, 2, 110),
  envoy: use(0.3, 3, 0.3, 35),
  rabbitmq: use(8, 10, 0.5, 120),
  nats: use(0.1, 2, 0.05, 16),
  idle: use(0, 0, 0, 1),
};
const native = use(0.15, 1, 1, 22);

/** CPU and memory that a small program of a runtime usually needs. */
export const usualOf = (runtime: Runtime): Use => typical[runtime] ?? native;

type Container = Omit<ContainerSpec, "behaviour">;

/** How the program of a container most likely behaves, from its image, its command, its ports and its probes. */
export function impliedBehaviour(container: Container): Behaviour {
  const { image } = container;
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  const listens = portsOf(container);
  const runtime = runtimeOf(image, words, listens.length > 0) ?? byPort[listens[0] ?? 0] ?? "go";
  const { tools, shell } = imageTools(image);
  return {
    runtime,
    ...usualOf(runtime),
    memoryMiPerConcurrentRequest: 0.1,
    listens,
    paths: [],
    writesPerRequest: {},
    concurrency: 64,
    tools,
    shell,
  };
}

/** Ports that stores have by themselves. */
const byPort: Readonly<Record<number, Runtime>> = {
  3306: "mysql",
  5432: "postgresql",
  4222: "nats",
  5672: "rabbitmq",
  6379: "redis",
  9092: "kafka",
  11211: "memcached",
  27017: "mongodb",
};

/** The program of each command of a script. */
const commands = /(?:^|[;&|({\n])[ \t]*(?:(?:\w+=\S*|exec|then|do|else)[ \t]+)*([\w./+-]+)/g;

/** What a container runs: of a shell's script the first program that names a runtime. */
function programOf([first = "", ...rest]: readonly string[]): string {
  const program = baseName(first);
  if (!/^(sh|bash|ash|dash)$/.test(program)) return program;
  const inScript = [...rest.join("\n").matchAll(commands)].map(([, word = ""]) => baseName(word));
  return inScript.find((word) => runtimes.some(([pattern]) => pattern.test(word))) ?? program;
}

const baseName = (path: string): string => path.split("/").at(-1) ?? "";

/** `isServer`: it has ports. A script, or a program that waits, is idle without one. */
function runtimeOf(image: string, words: readonly string[], isServer: boolean): Runtime | undefined {
  if (!isServer && /^(sh|bash|ash|dash|sleep|tail)$/.test(baseName(words[0] ?? ""))) return "idle";
  const program = programOf(words);
  const name = (image.split("/").at(-1) ?? "").split("@")[0] ?? "";
  const known =
    runtimes.find(([pattern]) => pattern.test(program)) ?? runtimes.find(([pattern]) => pattern.test(name));
  return known?.[1];
}

/** The ports that it declares, and those that its probes ask. */
function portsOf({ ports, readinessProbe, livenessProbe, startupProbe }: Container): number[] {
  const declared = ports.filter(({ protocol }) => protocol === undefined).map((port) => port.containerPort);
  const probed = [readinessProbe, livenessProbe, startupProbe].flatMap((probe) =>
    probe && probe.type !== "exec" && Number.isInteger(probe.port) ? [probe.port] : [],
  );
  return [...new Set([...declared, ...probed])];
}
