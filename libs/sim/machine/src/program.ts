import type { Behaviour } from "@microremed/environments";
import type { ContainerRuntime } from "./machine.ts";
import { awaitedServer } from "./waiting-clients.ts";

/** What a container's main process comes to. */
export type Program =
  | { readonly type: "serves" }
  /** Ends by itself after `ms`. */
  | { readonly type: "ends"; readonly ms: number; readonly exitCode: number }
  /** Ends with 0 once `host:port` answers; a try that fails is repeated inside, or ends it with 1. */
  | {
      readonly type: "waits";
      readonly host: string;
      readonly port: number;
      readonly http: boolean;
      readonly path: string;
      readonly retryMs: number | undefined;
    };

const loops = /\b(while|until|for)\b/;
const endless = /\b(sleep\s+(infinity|inf)\b|tail\s+-[fF]|while\s+(true|:|sleep\b)|\bpause\b)/;

/** Fills in `$VAR` and `${VAR}` as a shell does. */
function substitute(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_all, braced, plain) => env[braced ?? plain] ?? "");
}

/** How long the first `sleep` of a script takes, s. */
export function sleepSeconds(script: string): number | undefined {
  const match = /\bsleep\s+(\d+(?:\.\d+)?)([smhd]?)\b/.exec(script);
  if (!match) return undefined;
  const units: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
  return Number(match[1]) * (units[match[2] ?? ""] ?? 1);
}

/** It always answers: who asks it wants to know what it says, and does not wait for it. */
const isApiServer = /^kubernetes(\.default(\.svc(\.cluster\.local)?)?)?$/;

interface Address {
  readonly host: string;
  readonly port: number;
  readonly http: boolean;
  readonly path: string;
}

/** What a client in the script talks to. */
function addressIn(script: string): Address | undefined {
  const url =
    /\b(?:wget|curl)\b[^\n|;&]*?(?:https?:\/\/)?([\w.-]+\.?[\w-]*)(?::(\d+))?(\/[^\s"'|;&)]*)?["']?\s*(?:$|[\n|;&)>]|\d?>)/.exec(
      script,
    );
  const explicit = /https?:\/\/([\w.-]+)(?::(\d+))?(\/[^\s"'|;&)]*)?/.exec(script);
  const found = /\b(wget|curl)\b/.test(script) ? (explicit ?? url) : null;
  if (found?.[1]) return { host: found[1], port: Number(found[2] ?? 80), http: true, path: found[3] ?? "/" };
  const nc = /\bnc\b(?:\s+-[\w]+(?:\s+\d+)?)*\s+([\w.-]+)\s+(\d+)/.exec(script);
  if (nc?.[1]) return { host: nc[1], port: Number(nc[2]), http: false, path: "/" };
  const server = awaitedServer(script);
  return server && { ...server, http: false, path: "/" };
}

function waitFor(address: Address, script: string, hasCommand: boolean): Program {
  const again = !hasCommand || loops.test(script);
  return { type: "waits", ...address, retryMs: again ? (sleepSeconds(script) ?? 2) * 1000 : undefined };
}

/**
 * What a command line does, read from its words: no more than init containers and one-off pods need. `isTask`: what is not known
 * ends, as a Job's program does.
 */
export function programOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  behaviour: Behaviour | undefined,
  init: boolean,
  isTask = false,
): Program {
  const script = substitute(argv.join(" "), env);
  if (behaviour?.waitsFor) {
    const [host = "", port] = behaviour.waitsFor.split(":");
    const http = /\b(wget|curl)\b/.test(script);
    return waitFor({ host, port: Number(port), http, path: "/" }, script, argv.length > 0);
  }
  if (behaviour && !init) return { type: "serves" };
  const address = init ? addressIn(script) : undefined;
  if (address && !isApiServer.test(address.host)) return waitFor(address, script, true);
  if (init && behaviour) return { type: "ends", ms: 300, exitCode: 0 };
  if (argv.length === 0) return init || isTask ? { type: "ends", ms: 500, exitCode: 0 } : { type: "serves" };
  if (/\bnc\s+(-\w+\s+)*-\w*l/.test(script)) return { type: "serves" };
  if (endless.test(script) || (loops.test(script) && /\bsleep\b/.test(script))) return { type: "serves" };
  const exit = /\bexit\s+(\d+)\b/.exec(script);
  const exitCode = exit ? Number(exit[1]) : /(^|\s|\/)false\s*$/.test(script) ? 1 : 0;
  const sleeps = sleepSeconds(script);
  const oneShot =
    /(^|\s|\/)(echo|true|false|ls|cat|cp|mkdir|chmod|chown|env|date|printf|exit|sleep|id|hostname|nslookup|ping|wget|curl|nc|dd|stat|test|rm|touch|python3? -c|node(?:js)? (?:-e|-p|--eval|--print)|(?:perl|ruby) -e|php -r|kubectl)\b/;
  if (!init && !isTask && !oneShot.test(script)) return { type: "serves" };
  return { type: "ends", ms: 200 + (sleeps ?? 0) * 1000, exitCode };
}

const entryPoints: Readonly<Record<Behaviour["runtime"], string>> = {
  go: "/src/server",
  java: "java -jar /app/app.jar",
  node: "node server.js",
  python: "python app.py",
  dotnet: "/app/app",
  cpp: "/app/server",
  php: "apache2 -DFOREGROUND",
  ruby: "ruby server.rb",
  rust: "/app/server",
  elixir: "/app/erts/bin/beam.smp -- -root /app",
  flagd: "/flagd-build start",
  redis: "redis-server *:6379",
  memcached: "memcached",
  mysql: "mysqld",
  postgresql: "postgres",
  mongodb: "mongod --bind_ip_all",
  kafka: "java -Xmx1G -Xms1G -server -Dlogback.configurationFile=logback.xml kafka.Kafka server.properties",
  xenon: "xenon -c /etc/xenon/xenon.json",
  rabbitmq: "/usr/lib/erlang/erts-10.7/bin/beam.smp -- -root /usr/lib/erlang",
  nats: "nats-server --config /etc/nats/nats-server.conf",
  nginx: "nginx: master process nginx -g daemon off;",
  envoy: "envoy -c /etc/envoy/envoy.yaml",
  locust: "/usr/local/bin/python /usr/local/bin/locust --headless",
  idle: "sh",
};

/** The command line of an image's own program, as `ps` shows it. */
export function entryPointOf(behaviour: Behaviour | undefined, isPause: boolean): string {
  if (isPause) return "/pause";
  return behaviour ? entryPoints[behaviour.runtime] : "sh";
}

/** Exit code of a shell script whose trap for SIGTERM exits; undefined: it has none. */
function trappedExit(command: readonly string[]): number | undefined {
  const [, , action = ""] = /\btrap\s+(['"])(.*?)\1\s+[^;&\n]*\b(SIG)?TERM\b/.exec(command.join(" ")) ?? [];
  const code = /\bexit(?:\s+(\d+))?/.exec(action);
  return code ? Number(code[1] ?? 0) : undefined;
}

/** Runtimes whose programs handle SIGTERM; interpreters and shells leave it to the kernel, which spares PID 1. */
const exitCodes: Partial<Record<Behaviour["runtime"], number>> = {
  java: 143,
  kafka: 143,
  go: 2,
  flagd: 0,
  dotnet: 0,
  elixir: 0,
  php: 0,
  envoy: 0,
  memcached: 0,
  postgresql: 0,
  mongodb: 0,
  redis: 0,
  mysql: 0,
  xenon: 0,
  nginx: 0,
  rabbitmq: 0,
  nats: 0,
  locust: 0,
};
/** Well-known programs of public images that handle it. */
const handlers =
  /(^|\/)(nginx|redis(-server)?|mysqld?|postgres|rabbitmq-server|nats-server|tini|dumb-init|pause)$/;

/**
 * Exit code of a container's main process that is asked to stop with SIGTERM. Undefined: it has no handler, and the kernel
 * does not deliver to PID 1 what it does not handle, so it runs on.
 */
export function exitCodeOnTerm({
  image,
  command,
  behaviour,
}: Pick<ContainerRuntime, "image" | "command" | "behaviour">): number | undefined {
  if (behaviour) return trappedExit(command) ?? exitCodes[behaviour.runtime];
  const program = command[0] ?? image.replace(/(@.*|:[^/]*)$/, "");
  if (handlers.test(program)) return 0;
  if (/(^|\/)java$/.test(program)) return 143;
  return trappedExit(command) ?? (/\bSIGTERM\b/.test(command.join(" ")) ? 0 : undefined);
}
