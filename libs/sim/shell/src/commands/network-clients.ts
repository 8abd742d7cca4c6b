import { type Attempted, clusterDns, lookupDelayMs, normalized } from "@microremed/sim-machine";
import type { Command, CommandContext } from "../container/command.types.ts";
import { parseOptions } from "../container/options.ts";
import { askApi } from "./curl-api.ts";

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Without a flag curl and wget wait for minutes; cluster time. */
const defaultTimeoutMs = 120_000;

function parseUrl(text: string): Target | undefined {
  const match = /^(?:(https?):\/\/)?([^/:?#]+)(?::(\d+))?([/?][^#]*)?$/.exec(text);
  if (!match) return undefined;
  const [, scheme, host = "", port, path = "/"] = match;
  return { host, port: Number(port ?? (scheme === "https" ? 443 : 80)), path };
}

/** One HTTP request, waited for in cluster time. */
async function get(
  { deps, sandbox, signal }: CommandContext,
  target: Target,
  timeoutMs: number,
): Promise<Attempted> {
  const { host, port, path } = target;
  const attempted = deps.network.httpGet(sandbox, host, port, path, timeoutMs);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  return attempted;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  404: "Not Found",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
const statusText = (status: number): string => statusTexts[status] ?? "";
const bodyFor = (status: number, body = "OK"): string => `${status < 400 ? body : statusText(status)}\n`;
const isTimeout = ({ error }: Attempted): boolean => /time|deadline/i.test(error);

/** `curl`: the options that health checks and probing scripts use. */
export const curl: Command = async (context) => {
  const options = parseOptions(
    context.args,
    [
      "s",
      "S",
      "f",
      "I",
      "L",
      "k",
      "v",
      "i",
      "g",
      "silent",
      "fail",
      "head",
      "location",
      "insecure",
      "show-error",
    ],
    [
      "o",
      "w",
      "m",
      "H",
      "X",
      "d",
      "A",
      "u",
      "output",
      "write-out",
      "max-time",
      "connect-timeout",
      "header",
      "request",
      "data",
      "data-raw",
      "data-binary",
      "cacert",
      "retry",
    ],
  );
  const { flags, values, rest, unknown } = options;
  if (unknown) {
    context.err(`curl: option ${unknown.startsWith("-") ? unknown : `-${unknown}`}: is unknown\n`);
    return 2;
  }
  const url = rest[0];
  const target = url && parseUrl(url);
  if (!target) {
    context.err(
      url ? "curl: (3) URL rejected: Malformed input to a URL function\n" : "curl: no URL specified!\n",
    );
    return url ? 3 : 2;
  }
  const silent = (flags.has("s") || flags.has("silent")) && !flags.has("S") && !flags.has("show-error");
  const seconds = values.get("m") ?? values.get("max-time") ?? values.get("connect-timeout");
  const timeoutMs = seconds === undefined ? defaultTimeoutMs : Number(seconds) * 1000;
  const say = (code: number, text: string): number => {
    if (!silent) context.err(`curl: (${code}) ${text}\n`);
    return code;
  };
  const written = (attempted: Attempted | undefined): void => {
    const format = values.get("w") ?? values.get("write-out");
    if (format) context.out(writeOut(format, attempted));
  };
  if (context.deps.network.resolve(context.sandbox, target.host).length === 0) {
    written(undefined);
    return say(6, `Could not resolve host: ${target.host}`);
  }
  const answer = await askApi(context, options, { ...target, timeoutMs });
  if (answer && "code" in answer) return say(answer.code, answer.why);
  const attempted = answer
    ? { ...answer, connectedMs: answer.elapsedMs, ok: answer.status < 400, error: "" }
    : await get(context, target, timeoutMs);
  const status = attempted.status ?? 0;
  if (status === 0) {
    written(attempted);
    const elapsed = Math.round(attempted.elapsedMs);
    return isTimeout(attempted)
      ? say(28, `Connection timed out after ${elapsed} milliseconds`)
      : say(
          7,
          `Failed to connect to ${target.host} port ${target.port} after ${elapsed} ms: Couldn't connect to server`,
        );
  }
  const failing = (flags.has("f") || flags.has("fail")) && status >= 400;
  const body = answer?.body ?? bodyFor(status, attempted.body);
  const head = `HTTP/1.1 ${status} ${statusText(status)}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const headOnly = flags.has("I") || flags.has("head");
  const text = `${headOnly || flags.has("i") ? head : ""}${headOnly || failing ? "" : body}`;
  const output = values.get("o") ?? values.get("output");
  if (output) await context.files.writeFile(normalized(output, context.cwd), text);
  else context.out(text);
  written(attempted);
  return failing ? say(22, `The requested URL returned error: ${status}`) : 0;
};

function writeOut(format: string, attempted: Attempted | undefined): string {
  const seconds = ((attempted?.elapsedMs ?? 0) / 1000).toFixed(6);
  return format
    .replace(/%\{time_connect\}/g, ((attempted?.connectedMs ?? 0) / 1000).toFixed(6))
    .replace(/%\{(http_code|response_code)\}/g, String(attempted?.status ?? 0).padStart(3, "0"))
    .replace(/%\{time_\w+\}/g, seconds)
    .replace(
      /%\{size_download\}/g,
      attempted?.status ? String(bodyFor(attempted.status, attempted.body).length) : "0",
    )
    .replace(/\\n/g, "\n")
    .replace(/\\t/g, "\t");
}

/** `wget`, as busybox words it. */
export const wget: Command = async (context) => {
  const { flags, values, rest } = parseOptions(
    context.args,
    ["q", "S", "c", "spider", "no-check-certificate", "quiet"],
    ["O", "T", "P", "U", "t", "timeout", "tries", "header", "output-document", "post-data"],
  );
  const url = rest[0];
  const target = url && parseUrl(url);
  if (!target) {
    context.err(`wget: ${url ? `not an http or ftp url: ${url}` : "missing URL"}\n`);
    return 1;
  }
  const quiet = flags.has("q") || flags.has("quiet");
  const [address] = context.deps.network.resolve(context.sandbox, target.host);
  if (address === undefined) {
    context.err(`wget: bad address '${target.host}'\n`);
    return 1;
  }
  if (!quiet) context.err(`Connecting to ${target.host} (${address}:${target.port})\n`);
  const seconds = values.get("T") ?? values.get("timeout");
  const attempted = await get(
    context,
    target,
    seconds === undefined ? defaultTimeoutMs : Number(seconds) * 1000,
  );
  const status = attempted.status ?? 0;
  if (status === 0) {
    context.err(
      isTimeout(attempted)
        ? "wget: download timed out\n"
        : `wget: can't connect to remote host (${address}): Connection refused\n`,
    );
    return 1;
  }
  const body = bodyFor(status, attempted.body);
  if (flags.has("S")) {
    context.err(`  HTTP/1.1 ${status} ${statusText(status)}\n`);
    if (status < 400) context.err(`  content-length: ${body.length}\n  \n`);
  }
  if (status >= 400) {
    context.err(`wget: server returned error: HTTP/1.1 ${status} ${statusText(status)}\n`);
    return 1;
  }
  if (flags.has("spider")) return 0;
  const output = values.get("O") ?? values.get("output-document") ?? "index.html";
  if (output === "-") context.out(body);
  else if (output === "/dev/stderr") context.err(body);
  else await context.files.writeFile(normalized(output, context.cwd), body);
  if (!quiet && output !== "-") context.err(`'${output}' saved\n`);
  return 0;
};

/** `nc -z host port`: only connecting is simulated. */
export const nc: Command = async (context) => {
  const { flags, values, rest } = parseOptions(context.args, ["z", "v", "u", "n"], ["w"]);
  const [host, port] = rest;
  if (!host || !port) {
    context.err("BusyBox v1.35.0 multi-call binary.\n\nUsage: nc [OPTIONS] HOST PORT\n");
    return 1;
  }
  const { deps, sandbox, signal } = context;
  if (deps.network.resolve(sandbox, host).length === 0) {
    context.err(`nc: bad address '${host}'\n`);
    return 1;
  }
  const timeoutMs = values.has("w") ? Number(values.get("w")) * 1000 : defaultTimeoutMs;
  const attempted = deps.network.tcpConnect(sandbox, host, Number(port), timeoutMs);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (attempted.ok) {
    if (flags.has("v")) context.err(`${host} (${host}:${port}) open\n`);
    return 0;
  }
  if (!flags.has("z") || flags.has("v"))
    context.err(
      `nc: ${host} (${host}:${port}): ${isTimeout(attempted) ? "Connection timed out" : "Connection refused"}\n`,
    );
  return 1;
};

/** `nslookup`, as busybox words it. */
export const nslookup: Command = async (context) => {
  const host = context.args.find((arg) => !arg.startsWith("-"));
  if (!host) {
    context.err("BusyBox v1.35.0 multi-call binary.\n\nUsage: nslookup HOST [DNS_SERVER]\n");
    return 1;
  }
  const { deps, sandbox, signal } = context;
  const addresses = deps.network.resolve(sandbox, host);
  const waitMs = lookupDelayMs(sandbox, host);
  await deps.loop.sleep(waitMs + 2, signal);
  const servers = sandbox.resolver?.nameservers ?? [];
  // Behind those that have not answered is the one that has.
  const server = waitMs > 0 ? clusterDns : (servers[0] ?? clusterDns);
  context.out(`Server:\t\t${server}\nAddress:\t${server}:53\n\n`);
  if (addresses.length === 0) {
    context.out(`** server can't find ${host}: NXDOMAIN\n\n`);
    return 1;
  }
  const full =
    /\.svc(\.|$)/.test(host) || host.includes(".") ? host : `${host}.${sandbox.namespace}.svc.cluster.local`;
  for (const address of addresses) context.out(`Name:\t${full}\nAddress: ${address}\n`);
  context.out("\n");
  return 0;
};
