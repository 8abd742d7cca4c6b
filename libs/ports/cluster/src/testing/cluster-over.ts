import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import type { Cluster } from "../cluster.types.ts";
import { connectCluster } from "../kubeconfig/connect-cluster.ts";

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface ClusterOver extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly server: http.Server;
  readonly origin: string;
  readonly kubeconfig: string;
}

/** A cluster whose API server is `handler`, and which serves its clock at a path of it. */
export async function clusterOver(handler: Handler, clock?: string): Promise<ClusterOver> {
  const server = http.createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = await mkdtempDisposable(join(tmpdir(), "microremed-kube-"));
  const kubeconfig = join(dir.path, "config");
  await writeFile(kubeconfig, kubeconfigFor(origin, "t"));
  const entry = { name: "x", kubeconfig, arenas: 1, ...(clock !== undefined && { clock: origin + clock }) };
  const cluster = await connectCluster(entry, { log: silentLogger });
  return {
    cluster,
    server,
    origin,
    kubeconfig,
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await dir.remove();
    },
  };
}

export function kubeconfigFor(server: string, token: string, proxy?: string): string {
  return JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
    clusters: [{ name: "x", cluster: { server, "insecure-skip-tls-verify": true, "proxy-url": proxy } }],
    users: [{ name: "x", user: { token } }],
  });
}
