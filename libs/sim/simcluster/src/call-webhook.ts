import type { CallWebhook, WebhookClient } from "@microremed/sim-kinds";
import type { Machine } from "@microremed/sim-machine";
import type { ServiceDirectory } from "@microremed/sim-network";

const httpsPort = 443;

interface CallWebhookDeps {
  readonly directory: ServiceDirectory;
  readonly machine: Machine;
}

/**
 * How the API server reaches a webhook: by the address of its Service, as without aggregator routing, or by a URL, behind which
 * there is nothing. No program here answers reviews, so that a call always fails, for the reason that a dialer would name.
 */
export function createCallWebhook({ directory, machine }: CallWebhookDeps): CallWebhook {
  function callService({ namespace, name, port = httpsPort }: NonNullable<WebhookClient["service"]>): string {
    const view = directory.byName(namespace, name);
    if (!view) return `service ${JSON.stringify(name)} not found`;
    const found = view.ports.find((one) => one.port === port);
    if (!found) return `no service port ${port} found for service ${JSON.stringify(name)}`;
    if (view.clusterIp === undefined)
      return `unable to find the cluster IP of service ${JSON.stringify(name)}`;
    const isListening = found.endpoints.some(({ ip, port: targetPort }) =>
      [...(machine.byIp(ip)?.containers.values() ?? [])].some(
        ({ behaviour, isListening }) => isListening && behaviour?.listens.includes(targetPort),
      ),
    );
    return isListening
      ? "http: server gave HTTP response to HTTPS client"
      : `dial tcp ${view.clusterIp}:${port}: connect: connection refused`;
  }

  return ({ url, service }) => {
    if (service) return callService(service);
    const host = URL.parse(url ?? "")?.hostname ?? "";
    return `dial tcp: lookup ${host}: no such host`;
  };
}
