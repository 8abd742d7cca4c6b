import {
  type Behaviour,
  type ContainerSpec,
  imageTools,
  type ServiceSpec,
  usualOf,
} from "@microremed/catalogue/environment";
import { parseQuantity } from "@microremed/cluster";
import { guess, likely, type Marked, sure } from "../marked.ts";
import type { Usage } from "../usage.ts";

/** How a container's program behaves, each part with its confidence. */
export type Program = { readonly [K in keyof Behaviour]?: Marked<Behaviour[K]> };

const byVariable: readonly (readonly [RegExp, Behaviour["runtime"]])[] = [
  [/^(JAVA_|JVM_|SPRING_|_JAVA_OPTIONS)/, "java"],
  [/^(ASPNETCORE_|DOTNET_)/, "dotnet"],
  [/^(NODE_ENV|NODE_OPTIONS|NPM_)/, "node"],
  [/^(PYTHON|FLASK_|DJANGO_|GUNICORN_|UVICORN_)/, "python"],
  [/^(GOGC|GOMEMLIMIT|GODEBUG|GOMAXPROCS)/, "go"],
  [/^(RAILS_|RACK_)/, "ruby"],
  [/^(RUST_)/, "rust"],
  [/^(ERL_|ELIXIR_|SECRET_KEY_BASE)/, "elixir"],
  [/^(PHP_|APACHE_)/, "php"],
];

/** Ports that stores open where nothing says another one. */
const usualPorts: Partial<Record<Behaviour["runtime"], number>> = {
  mongodb: 27017,
  memcached: 11211,
  redis: 6379,
  mysql: 3306,
  postgresql: 5432,
  rabbitmq: 5672,
  nats: 4222,
  kafka: 9092,
};

/** Of a limit, what a program may need without a guess making it fail. */
const shareOfLimit = 0.6;
/** Of the time that a liveness or start-up probe leaves. */
const shareOfStart = 0.5;

/** What is known of a container beside its manifest. */
export interface Surroundings {
  /** Those over its pods. */
  readonly services: readonly ServiceSpec[];
  /** Of the running system. */
  readonly usage: Usage | undefined;
  /** What those who call it take it for, by the protocol that they speak. */
  readonly calledAs: Behaviour["runtime"] | undefined;
}

/** Infers how a container's program behaves. */
export function inferProgram(container: ContainerSpec, { services, usage, calledAs }: Surroundings): Program {
  const said = runtimeOf(container);
  const runtime =
    said.confidence === "guess" && calledAs !== undefined
      ? likely(calledAs, `addresses of ${calledAs} lead to it`)
      : said;
  const usual = { ...usualOf(runtime.value), why: `usual of ${runtime.value}` };
  const listens = portsOf(container, services, runtime.value);
  return {
    runtime,
    startupCpuSeconds: startOf(container, usual),
    ...cpuOf(usual, usage, listens.value.length > 0),
    memoryMi: memoryOf(container, usual, usage),
    ...(listens.value.length > 0 && { listens }),
    ...toolsOf(container),
  };
}

/** What a running container uses is shared out between its requests and itself, so that its load counts once. */
function cpuOf(
  { idleCpuMillicores, cpuMillisPerRequest, why }: Usual,
  usage: Usage | undefined,
  serves: boolean,
): Pick<Program, "idleCpuMillicores" | "cpuMillisPerRequest"> {
  const usual = serves ? { cpuMillisPerRequest: guess(cpuMillisPerRequest, why) } : {};
  if (!usage) return { idleCpuMillicores: guess(idleCpuMillicores, why), ...usual };
  const used = usage.cpuCores * 1000;
  const rate = usage.requestsPerSecond;
  if (!serves || rate === undefined) {
    const load = serves ? ", its requests' with it: take that off" : "";
    return {
      idleCpuMillicores: likely(Math.max(1, Math.round(used)), `CPU of the running container${load}`),
      ...usual,
    };
  }
  const each = Math.min(cpuMillisPerRequest, Math.max(0, used - 1) / Math.max(rate, Number.MIN_VALUE));
  const idle = Math.max(1, Math.round(used - each * rate));
  return {
    idleCpuMillicores: likely(idle, "CPU of the running container without its requests'"),
    cpuMillisPerRequest:
      each < cpuMillisPerRequest
        ? likely(Math.round(1000 * each) / 1000, "CPU of the running container by its requests in traces")
        : guess(cpuMillisPerRequest, why),
  };
}

function runtimeOf({ behaviour, image, command, args, env }: ContainerSpec): Marked<Behaviour["runtime"]> {
  const { runtime } = behaviour;
  const words = [...(command ?? []), ...(args ?? [])].join(" ");
  if (runtime === "idle") return sure(runtime, `command ${words.slice(0, 40)}`);
  if (runtime !== "go") {
    const name = (image.split("/").at(-1) ?? "").split(/[:@]/)[0] ?? "";
    if (!nameSays(runtime, `${name} ${words}`)) return likely(runtime, `port ${behaviour.listens[0]}`);
    const isOwnImage = new RegExp(`^(${runtime}|mongo|postgres|valkey|openresty|bitnami)`).test(name);
    return isOwnImage ? sure(runtime, `image ${image}`) : likely(runtime, `image ${image}, command`);
  }
  for (const name of Object.keys(env)) {
    const found = byVariable.find(([pattern]) => pattern.test(name));
    if (found) return likely(found[1], `variable ${name}`);
  }
  return guess("go", "nothing names a runtime");
}

/** Whether a runtime follows from names, or from the port alone. */
const nameSays = (runtime: string, text: string): boolean => {
  const port = usualPorts[runtime as keyof typeof usualPorts];
  return port === undefined || new RegExp(`${runtime.slice(0, 5)}|valkey|maria|percona`).test(text);
};

function portsOf(
  { behaviour, ports }: ContainerSpec,
  services: readonly ServiceSpec[],
  runtime: Behaviour["runtime"],
): Marked<number[]> {
  if (behaviour.listens.length > 0) return sure([...behaviour.listens], "its ports and probes");
  const targets = services.flatMap((service) =>
    service.ports.map(({ targetPort }) =>
      typeof targetPort === "number"
        ? targetPort
        : (ports.find(({ name }) => name === targetPort)?.containerPort ?? 0),
    ),
  );
  const known = [...new Set(targets.filter((port) => port > 0))];
  if (known.length > 0) return likely(known, "the target ports of its Services");
  const usual = usualPorts[runtime];
  return usual === undefined ? guess([], "") : likely([usual], `usual of ${runtime}`);
}

type Usual = ReturnType<typeof usualOf> & { readonly why: string };

/** A guess must not be so slow that the container's own probes would end it. */
function startOf(
  { resources, livenessProbe, startupProbe }: ContainerSpec,
  { startupCpuSeconds, why }: Usual,
): Marked<number> {
  const probe = startupProbe ?? livenessProbe;
  if (!probe) return guess(startupCpuSeconds, why);
  const seconds = probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
  const cores = Math.min(1, parseQuantity(resources.limits.cpu) ?? 1);
  const most = Math.round(shareOfStart * seconds * cores * 100) / 100;
  return most < startupCpuSeconds ? guess(most, "what its probes leave") : guess(startupCpuSeconds, why);
}

function memoryOf(
  { resources }: ContainerSpec,
  { memoryMi, why }: Usual,
  usage: Usage | undefined,
): Marked<number> {
  const mi = 2 ** 20;
  if (usage)
    return likely(Math.max(1, Math.round(usage.memoryBytes / mi)), "memory of the running container");
  const limit = parseQuantity(resources.limits.memory);
  const most = limit === undefined ? Number.POSITIVE_INFINITY : Math.floor((shareOfLimit * limit) / mi);
  return memoryMi > most ? guess(Math.max(1, most), "its limit") : guess(memoryMi, why);
}

function toolsOf({ behaviour, image }: ContainerSpec): Program {
  const why = `image ${image}`;
  const of = imageTools(image).isKnown ? likely : guess;
  return {
    tools: of(behaviour.tools, why),
    ...(behaviour.shell !== "sh" && { shell: of(behaviour.shell, why) }),
  };
}
