import { Agent, request } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { HttpAnswer, HttpOptions } from "./case.types.ts";

/** Plain HTTPS to a cluster's API server, as a kubeconfig's user. */
interface HttpsClient extends Disposable {
  http(method: string, path: string, wanted: HttpOptions): Promise<HttpAnswer>;
}

export async function createHttpsClient(config: KubeConfig): Promise<HttpsClient> {
  const server = new URL(config.getCurrentCluster()?.server ?? "https://localhost");
  const options: Record<string, unknown> & { headers?: Record<string, string> } = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, rejectUnauthorized, servername, headers: credentials } = options;
  const tls = Object.entries({ ca, cert, key, rejectUnauthorized, servername }).filter(
    ([, value]) => value != null,
  );
  const agent = new Agent({ keepAlive: true, ...Object.fromEntries(tls) });
  const authorization = bearerOf(config, credentials);

  async function http(method: string, path: string, wanted: HttpOptions): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const { body, contentType = "application/json", accept = "application/json" } = wanted;
    const sent = request(
      new URL(path, server),
      {
        method,
        agent,
        signal: wanted.signal,
        headers: {
          accept,
          ...authorization,
          ...(body !== undefined && {
            "content-type": contentType,
            "content-length": Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  return { http, [Symbol.dispose]: () => agent.destroy() };
}

function bearerOf(config: KubeConfig, headers: Record<string, string> | undefined): Record<string, string> {
  const found = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "authorization");
  const token = config.getCurrentUser()?.token;
  const value = found?.[1] ?? (token && `Bearer ${token}`);
  return value ? { authorization: value } : {};
}
