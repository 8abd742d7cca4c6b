import type { Route } from "@microremed/sim-apiserver";
import { resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { exporterPort, type RequestMetrics } from "@microremed/sim-telemetry";

export interface ScrapeDeps {
  readonly store: Store;
  readonly requests: Pick<RequestMetrics, "pods">;
}

/**
 * What there is to scrape, in the format of Prometheus' HTTP service discovery, for a Prometheus that was built without
 * Kubernetes' (Debian's is). Everything is scraped through the API server.
 */
export function scrapeRoutes({ store, requests }: ScrapeDeps): readonly Route[] {
  /** `host`: where Prometheus has found the API server. */
  const targets = (host: string): object[] => {
    const kubelets = store.list(resources.nodes).map(({ metadata: { name } }) => ({
      targets: [host],
      labels: {
        job: "cadvisor",
        node: name,
        __metrics_path__: `/api/v1/nodes/${name}/proxy/metrics/cadvisor`,
      },
    }));
    const programs = requests.pods().map(({ namespace, name }) => ({
      targets: [host],
      labels: {
        job: "programs",
        namespace,
        pod: name,
        __metrics_path__: `/api/v1/namespaces/${namespace}/pods/${name}:${exporterPort}/proxy/metrics`,
      },
    }));
    return [...kubelets, ...programs];
  };
  return [
    {
      method: "GET",
      path: "/microremed/scrape-targets",
      handle: async ({ host }) => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(targets(host)),
      }),
    },
  ];
}
