import type { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { terminal } from "@microremed/core";
import { dump } from "js-yaml";
import { type ApiEndpoint, apiEndpoint } from "./api-endpoint.ts";
import { connectTo } from "./api-relay.ts";
import { currentContext } from "./kubeconfig-fields.ts";

/** What a kubeconfig gives its user: the way to an API server, and a token for it. */
export interface ApiAccess {
  readonly endpoint: ApiEndpoint;
  /** Of the server's address, before every path; empty or `/...` without a slash at its end. */
  readonly basePath: string;
  readonly token: string;
  /** Undefined: the server is not encrypted. */
  readonly tls: ConnectionOptions | undefined;
}

/** Reads a kubeconfig; undefined: it names no server. Throws `invalid-config` where it has no token; nothing of it is quoted. */
export function apiAccess(kubeconfig: string): ApiAccess | undefined {
  const endpoint = apiEndpoint(kubeconfig);
  if (!endpoint) return undefined;
  const { cluster, user } = currentContext(kubeconfig) ?? {};
  const token = user?.["token"];
  if (typeof token !== "string" || token === "") {
    throw terminal(
      "invalid-config",
      "a run whose requests are reviewed needs a kubeconfig with a token, as agents' accounts have",
    );
  }
  const url = new URL(String(cluster?.["server"]));
  const basePath = url.pathname.replace(/\/+$/, "");
  return { endpoint, basePath, token, tls: url.protocol === "http:" ? undefined : tlsOf(cluster, endpoint) };
}

function tlsOf(
  cluster: Readonly<Record<string, unknown>> | undefined,
  { host }: ApiEndpoint,
): ConnectionOptions {
  const ca = cluster?.["certificate-authority-data"];
  const name = cluster?.["tls-server-name"];
  return {
    host,
    ...(typeof name === "string" && { servername: name }),
    ...(typeof ca === "string" && { ca: Buffer.from(ca, "base64") }),
    rejectUnauthorized: cluster?.["insecure-skip-tls-verify"] !== true,
    ALPNProtocols: ["http/1.1"],
  };
}

/** A connection on which HTTP is spoken. Rejects when there is none in time, or when the signal is aborted. */
export async function connectToApi({ endpoint, tls }: ApiAccess, signal: AbortSignal): Promise<Socket> {
  const socket = await connectTo(endpoint, signal);
  if (!tls) return socket;
  return await new Promise((resolve, reject) => {
    const secure = addAbortSignal(signal, connectTls({ ...tls, socket }));
    // Both do nothing once it is resolved.
    secure.on("error", reject).once("close", () => reject(new Error("the connection was closed")));
    secure.once("secureConnect", () => resolve(secure));
  });
}

/** The same contexts with another server and without credentials: for a run whose requests get theirs outside of it. */
export function withoutCredentials(kubeconfig: string, server: string): string {
  const { config, context } = currentContext(kubeconfig) ?? {};
  return dump({
    ...config,
    clusters: [{ name: context?.["cluster"], cluster: { server } }],
    users: [{ name: context?.["user"], user: {} }],
  });
}
