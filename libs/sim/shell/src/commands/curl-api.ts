import { fileAt, locate, normalized } from "@microremed/sim-machine";
import type { CommandContext } from "../container/command.types.ts";
import type { Options } from "../container/options.ts";

/** Where the API server was asked, and how long its caller waits. */
interface Asked {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly timeoutMs: number;
}

/** An answer, or with which code curl ends and why. */
export type ApiAnswer =
  | { readonly status: number; readonly body: string; readonly elapsedMs: number }
  | { readonly code: number; readonly why: string };

/** Of a request within a cluster, ms. */
const roundTripMs = 4;
const isWatch = /[?&]watch=(1|true)\b/;

/** curl's request as its options have it, sent to the API server; undefined: something else is at the address. */
export async function askApi(
  context: CommandContext,
  options: Options,
  { host, port, path, timeoutMs }: Asked,
): Promise<ApiAnswer | undefined> {
  const { deps, sandbox, signal } = context;
  const [address = ""] = deps.network.resolve(sandbox, host);
  const server = deps.apiAt?.(sandbox, address, port);
  if (!server) return undefined;
  const late = { code: 28, why: `Connection timed out after ${timeoutMs} milliseconds` };
  if (!server.answers) {
    await deps.loop.sleep(timeoutMs, signal);
    return late;
  }
  const distrust = whyDistrusted(context, options);
  if (distrust) return distrust;
  await deps.loop.sleep(roundTripMs, signal);
  const request = { ...requestOf(options), path, signal };
  if (isWatch.test(path)) {
    // Nothing that it would print comes before it ends, and nothing but its caller ends it.
    await deps.loop.sleep(timeoutMs, signal);
    return late;
  }
  return { ...(await server.ask(request)), elapsedMs: roundTripMs };
}

/** The server's certificate is signed by the cluster's own authority, which no image knows. */
function whyDistrusted({ sandbox, container, cwd }: CommandContext, { flags, values }: Options) {
  if (flags.has("k") || flags.has("insecure")) return undefined;
  const file = values.get("cacert");
  if (file === undefined)
    return { code: 60, why: "SSL certificate problem: unable to get local issuer certificate" };
  return fileAt(locate(sandbox, container, normalized(file, cwd))) === undefined
    ? { code: 77, why: `error setting certificate file: ${file}` }
    : undefined;
}

function requestOf({ pairs, values }: Options) {
  const all = (...names: readonly string[]): string[] =>
    pairs.flatMap(([name, value]) => (names.includes(name) ? [value] : []));
  const data = all("d", "data", "data-raw", "data-binary");
  const posted: Record<string, string> =
    data.length > 0 ? { "content-type": "application/x-www-form-urlencoded" } : {};
  const headers = all("H", "header").map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name.trim().toLowerCase(), value.join(":").trim()];
  });
  return {
    method: values.get("X") ?? values.get("request") ?? (data.length > 0 ? "POST" : "GET"),
    headers: { accept: "*/*", ...posted, ...Object.fromEntries(headers) },
    body: data.join("&"),
  };
}
