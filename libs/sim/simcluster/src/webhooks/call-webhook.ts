import type { CallWebhook, WebhookClient, WebhookRequest } from "@microremed/sim-kinds";
import { type Network, reviewBy } from "@microremed/sim-machine";
import type { ServiceDirectory } from "@microremed/sim-network";
import { whyUntrusted } from "./why-untrusted.ts";

const httpsPort = 443;

interface CallWebhookDeps {
  readonly directory: ServiceDirectory;
  readonly network: Pick<Network, "tcpConnect">;
  readonly now: () => number;
}

/**
 * How the API server reaches a webhook: by the address of its Service, as without aggregator routing, or by a URL, behind which
 * there is nothing. Only Kubewarden's policy-server answers reviews. A call of anything else fails, for the reason that a dialer
 * would name.
 */
export function createCallWebhook({ directory, network, now }: CallWebhookDeps): CallWebhook {
  function callService(
    { caBundle, service }: WebhookClient & Required<Pick<WebhookClient, "service">>,
    request: WebhookRequest,
    timeoutMs: number,
  ): ReturnType<CallWebhook> {
    const { namespace, name, port = httpsPort, path = "/" } = service;
    const view = directory.byName(namespace, name);
    if (!view) return `service ${JSON.stringify(name)} not found`;
    if (!view.ports.some((one) => one.port === port))
      return `no service port ${port} found for service ${JSON.stringify(name)}`;
    if (view.clusterIp === undefined)
      return `unable to find the cluster IP of service ${JSON.stringify(name)}`;
    const { ok, elapsedMs, by } = network.tcpConnect("node", view.clusterIp, port, timeoutMs);
    if (!ok)
      return elapsedMs >= timeoutMs
        ? "context deadline exceeded"
        : `dial tcp ${view.clusterIp}:${port}: connect: connection refused`;
    const server = by?.container.datastore;
    if (server?.type !== "policy-server" || server.certificate === undefined)
      return "http: server gave HTTP response to HTTPS client";
    const host = `${name}.${namespace}.svc`;
    const untrusted = whyUntrusted({ certificate: server.certificate, host, caBundle, now: now() });
    return (
      untrusted ??
      reviewBy(server, path, request) ?? { error: "the server could not find the requested resource" }
    );
  }

  return ({ service, ...client }, request, timeoutMs) => {
    if (service) return callService({ ...client, service }, request, timeoutMs);
    const host = URL.parse(client.url ?? "")?.hostname ?? "";
    return `dial tcp: lookup ${host}: no such host`;
  };
}
