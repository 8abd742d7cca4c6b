import { type Behaviour, impliedBehaviourOf } from "@microremed/environments";
import { isBareImage, lacksInterpreter, programsOfImage } from "@microremed/sim-machine";
import { parseQuantity } from "@microremed/sim-objects";
import type { ContainerSpec } from "./container-spec.ts";

const shell = /(^|\/)(sh|ash|bash|dash)$/;
/** Programs that are no servers: they wait, or do one thing and end. */
const others =
  /(^|\/)(sleep|tail|pause|echo|true|false|ls|cat|cp|mkdir|chmod|chown|env|date|printf|id|hostname|nslookup|ping|wget|curl|dd|stat|test|rm|touch|kubectl|stress|stress-ng)$/;
/** Words of a script that name the runtime of its server. */
const runtimes =
  /\b(python3?|gunicorn|uvicorn|flask|node|npm|yarn|java|ruby|puma|php|apache2|dotnet|nginx|locust|redis-server|mysqld|postgres|mongod|memcached)\b/;
/** Of its memory limit, what a program may need without a guess making it fail. */
const shareOfLimit = 0.6;
/** Ports of public servers that declare none. */
const usualPorts: readonly (readonly [RegExp, number])[] = [
  [/(^|\/)httpd[:@]?/, 80],
  [/(^|\/)(mysql|mariadb)[:@]?/, 3306],
  [/(^|\/)postgres[:@]?/, 5432],
  [/(^|\/)mongo[:@]?/, 27_017],
  [/(^|\/)memcached[:@]?/, 11_211],
  [/(^|\/)rabbitmq[:@]?/, 5672],
  [/(^|\/)nats[:@]?/, 4222],
];

/**
 * How a container behaves of which no environment knows the program: it serves the ports that it declares and that its
 * probes ask. `own`: programs that its image is known to have, undefined if nothing is known of the image: a script of a
 * known image serves only with one of them, or with a usual server. Undefined: nothing says that it is a server.
 */
export function impliedServer(
  spec: ContainerSpec,
  own: readonly string[] | undefined,
): Behaviour | undefined {
  const words = [...(spec.command ?? []), ...(spec.args ?? [])];
  const [first] = words;
  if (first === undefined ? isBareImage(spec.image) : others.test(first)) return undefined;
  const isScript = first !== undefined && shell.test(first);
  const server = isScript ? runtimes.exec(words.join(" "))?.[0] : undefined;
  const isServer = server !== undefined || own === undefined || own.some((one) => names(words, one));
  if (isScript && !isServer) return undefined;
  const { image, name, ports, readinessProbe, livenessProbe, startupProbe, resources } = spec;
  const usual =
    first === undefined ? usualPorts.find(([repository]) => repository.test(image))?.[1] : undefined;
  const implied = impliedBehaviourOf({
    ...{ name, image, readinessProbe, livenessProbe, startupProbe, resources },
    ports: ports?.length || usual === undefined ? ports : [{ containerPort: usual }],
    command: server === undefined ? words : [server],
  });
  if (implied.listens.length === 0) return undefined;
  const limit = parseQuantity(resources?.limits?.["memory"] ?? "");
  const most = limit ? Math.max(1, Math.floor((shareOfLimit * limit) / 2 ** 20)) : Number.POSITIVE_INFINITY;
  const tools = implied.shell === "none" ? [] : [...implied.tools, ...programsOfImage(image)];
  return { ...implied, memoryMi: Math.min(implied.memoryMi, most), tools };
}

const names = (words: readonly string[], program: string): boolean =>
  words.some((word) => word.split(/[\s;&|()]+/).includes(program));

/** Whether a container's main process is a shell's script, whose server comes when the script has got to it. */
export const startsWithScript = ({ command = [], args = [] }: ContainerSpec): boolean =>
  shell.test([...command, ...args][0] ?? "");

/** Whether an image is known to lack a container's program, an interpreter. */
export const lacksProgram = (image: string, program: string): boolean =>
  !(program.includes("/") && !/^\/usr(\/local)?\/bin\//.test(program)) && lacksInterpreter(image, program);
