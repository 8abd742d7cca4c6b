import { isIP } from "node:net";
import { dump, load, YAMLException } from "js-yaml";

/** The one address that untrusted code may reach, and how it is addressed from inside. */
export interface ApiEndpoint {
  readonly host: string;
  readonly port: number;
  /** URL of the HTTP proxy on the way there; the harness talks to it, the code inside does not. */
  readonly proxy?: string;
  /** Name that must resolve to 127.0.0.1 inside, so that the server's certificate still fits. */
  readonly insideName: string;
  /** Port on the sandbox's own 127.0.0.1. */
  readonly insidePort: number;
  /** The kubeconfig to use inside. */
  readonly kubeconfig: string;
}

/** Inside, no process may listen below 1024. */
const UNPRIVILEGED_PORT = 6443;
/** Every API server's certificate holds it, since pods use it; an address that is not local can't be taken over. */
const NAME_FOR_PODS = "kubernetes.default.svc";

type Fields = Readonly<Record<string, unknown>>;

/** The API server of a kubeconfig's current context; undefined when it names none. */
export function apiEndpoint(kubeconfig: string): ApiEndpoint | undefined {
  const config = parse(kubeconfig);
  if (!config) return undefined;
  const context = named(config["contexts"], config["current-context"], "context");
  const cluster = named(config["clusters"], context?.["cluster"], "cluster");
  const server = cluster?.["server"];
  if (typeof server !== "string" || !URL.canParse(server)) return undefined;
  const url = new URL(server);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (url.protocol === "http:" ? 80 : 443);
  const insideName = isIP(host) && host !== "127.0.0.1" ? NAME_FOR_PODS : host;
  const insidePort = port < 1024 ? UNPRIVILEGED_PORT : port;
  const { "proxy-url": proxy, ...rest } = cluster ?? {};
  const common = { host, port, insideName, insidePort };
  if (insideName === host && insidePort === port && proxy === undefined) return { ...common, kubeconfig };
  url.hostname = insideName;
  url.port = String(insidePort);
  const clusters = [{ name: context?.["cluster"], cluster: { ...rest, server: url.href } }];
  const inside = dump({ ...config, clusters });
  return { ...common, ...(typeof proxy === "string" && { proxy }), kubeconfig: inside };
}

function parse(text: string): Fields | undefined {
  try {
    const value = load(text);
    return isFields(value) ? value : undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** The entry of a kubeconfig's list that has the name, without its envelope. */
function named(list: unknown, name: unknown, kind: string): Fields | undefined {
  if (!Array.isArray(list)) return undefined;
  const entry = list.find((one: unknown) => isFields(one) && one["name"] === name);
  const content = isFields(entry) ? entry[kind] : undefined;
  return isFields(content) ? content : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
