import type { Behaviour } from "@microremed/environments";
import { nodeSpecs } from "@microremed/sim-machine";
import { systemPrograms } from "./system-programs.ts";

/** A public server image as it starts by itself, with its options. */
export interface PublicProgram {
  /** Its own program, with which a command may name it too. */
  readonly program: string;
  readonly behaviour: Behaviour;
  /** The image by itself starts something else. */
  readonly onlyByName?: true;
  /** The option with the port to listen on; undefined: only its configuration has it. */
  readonly portOption?: string;
  /** It computes without end: the option with the number of its threads. */
  readonly threadsOption?: string;
}

const nginx: Behaviour = {
  runtime: "nginx",
  startupCpuSeconds: 0.05,
  idleCpuMillicores: 1,
  cpuMillisPerRequest: 0.1,
  memoryMi: 6,
  memoryMiPerConcurrentRequest: 0.1,
  listens: [80],
  paths: ["/", "/index.html"],
  writesPerRequest: {},
  concurrency: 1024,
  tools: ["coreutils", "bash", "grep", "sed", "tar", "gzip", "curl", "nginx"],
  shell: "bash",
};

const redis: Behaviour = {
  runtime: "redis",
  startupCpuSeconds: 0.05,
  idleCpuMillicores: 3,
  cpuMillisPerRequest: 0.1,
  memoryMi: 8,
  memoryMiPerConcurrentRequest: 0.1,
  listens: [6379],
  paths: [],
  writesPerRequest: {},
  concurrency: 128,
  tools: ["coreutils", "bash", "grep", "sed", "tar", "gzip", "redis-cli", "redis-server"],
  shell: "bash",
};

/** Go's servers in images of their own: one small process. */
const goServer = (listens: readonly number[], paths: readonly string[]): Behaviour => ({
  ...nginx,
  runtime: "go",
  memoryMi: 10,
  listens: [...listens],
  paths: [...paths],
  tools: ["busybox"],
  shell: "sh",
});

/** Kubewarden's server of policies, one process in an image with nothing else. */
const policyServer: Behaviour = {
  ...goServer([3000, 8081], ["/readiness", "/metrics"]),
  runtime: "rust",
  startupCpuSeconds: 0.4,
  idleCpuMillicores: 2,
  memoryMi: 45,
  tools: [],
  shell: "none",
};

/** busybox's HTTP server, which has no files to serve but those that are mounted. */
const httpd: Behaviour = {
  ...nginx,
  runtime: "idle",
  startupCpuSeconds: 0,
  idleCpuMillicores: 0,
  memoryMi: 1,
  paths: [],
  tools: ["busybox"],
  shell: "sh",
};

/** ffmpeg with an input that does not end: it encodes on as many cores as it has threads and can get. */
const ffmpeg: Behaviour = {
  ...httpd,
  memoryMi: 900,
  listens: [],
  tools: ["coreutils", "bash", "grep", "sed", "tar", "gzip", "ffmpeg"],
  shell: "bash",
};

const programs: Readonly<Record<string, PublicProgram>> = {
  "docker.io/library/busybox": { program: "httpd", behaviour: httpd, portOption: "-p", onlyByName: true },
  ...systemPrograms,
  "docker.io/library/nginx": { program: "nginx", behaviour: nginx },
  "k8s.gcr.io/nginx-slim": { program: "nginx", behaviour: nginx },
  "registry.k8s.io/nginx-slim": { program: "nginx", behaviour: nginx },
  "gcr.io/kuar-demo/kuard-amd64": {
    program: "kuard",
    behaviour: goServer([8080], ["/", "/healthy", "/ready"]),
  },
  "docker.io/prom/node-exporter": {
    program: "node_exporter",
    behaviour: goServer([9100], ["/", "/metrics"]),
  },
  // Its own program is the image's entry point; the first of its ports is for HTTPS, the other one for health checks.
  "ghcr.io/kubewarden/policy-server": {
    program: "policy-server",
    behaviour: policyServer,
    portOption: "--port",
  },
  "docker.io/jrottenberg/ffmpeg": { program: "ffmpeg", behaviour: ffmpeg, threadsOption: "-threads" },
  "docker.io/library/redis": { program: "redis-server", behaviour: redis, portOption: "--port" },
};

/** Images on Alpine have busybox in place of GNU's programs. */
function onAlpine({ tools, ...rest }: Behaviour): Behaviour {
  const own = tools.filter((tool) => !["coreutils", "bash", "grep", "sed", "tar", "gzip"].includes(tool));
  return { ...rest, tools: ["busybox", ...own], shell: "sh" };
}

/** Of a program that is left to choose it, the number of threads, and the most that it takes. */
const coresOfNode = Math.max(...nodeSpecs.map(({ cores }) => cores));
const mostThreads = 128;

/** The number behind an option; undefined: there is no such option. */
function numberAfter(words: readonly string[], option: string | undefined): number | undefined {
  const at = option === undefined ? -1 : words.indexOf(option);
  return at < 0 ? undefined : Number(words[at + 1]);
}

/**
 * How a public server image's container behaves; undefined: it is none, or its command is something else. An entry point
 * takes arguments that begin with a dash as options of its program.
 */
export function publicBehaviour(
  repository: string,
  tag: string | undefined,
  { command = [], args = [] }: { readonly command?: readonly string[]; readonly args?: readonly string[] },
): Behaviour | undefined {
  const known = programs[repository];
  if (!known) return undefined;
  const words = [...command, ...args];
  const [first] = words;
  const named = first?.split("/").pop() === known.program;
  if (known.onlyByName && !named) return undefined;
  if (first !== undefined && !named && !(command.length === 0 && first.startsWith("-"))) return undefined;
  const port = numberAfter(words, known.portOption);
  const [, ...others] = known.behaviour.listens;
  const listens =
    port === undefined ? known.behaviour.listens : port > 0 && port < 65_536 ? [port, ...others] : [];
  const threads = numberAfter(words, known.threadsOption) || coresOfNode;
  const behaviour = {
    ...{ ...known.behaviour, listens },
    ...(known.threadsOption && { idleCpuMillicores: 1000 * Math.min(mostThreads, threads) }),
  };
  return tag?.includes("alpine") ? onAlpine(behaviour) : behaviour;
}
