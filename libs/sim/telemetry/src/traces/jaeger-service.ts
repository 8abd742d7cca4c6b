import type { NewObject } from "@microremed/sim-objects";

/** Where the cluster's own Jaeger is found; it shows the traces of all namespaces. */
export const jaegerNamespace = "observability";

/** Name of the Service of Jaeger's query API. */
export const jaegerService = "jaeger-query";

/** Port of Jaeger's query API, Jaeger's default. */
export const jaegerPort = 16686;

/** The namespace of the cluster's own Jaeger. */
export const jaegerNamespaceObject: NewObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: jaegerNamespace },
};

/** Like metrics-server it runs beside the cluster: a Service without pods, behind the API server's proxy. */
export const jaegerServiceObject: NewObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: jaegerService,
    namespace: jaegerNamespace,
    labels: { "app.kubernetes.io/name": "jaeger", "app.kubernetes.io/component": "query" },
  },
  spec: { ports: [{ name: "http-query", port: jaegerPort, targetPort: jaegerPort }] },
};
