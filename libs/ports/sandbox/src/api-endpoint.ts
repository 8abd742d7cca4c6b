import { isIP } from "node:net";
import { dump } from "js-yaml";
import { currentContext } from "./kubeconfig-fields.ts";

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

/** The API server of a kubeconfig's current context; undefined when it names none. */
export function apiEndpoint(kubeconfig: string): ApiEndpoint | undefined {
  const current = currentContext(kubeconfig);
  if (!current) return undefined;
  const { config, context, cluster } = current;
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
