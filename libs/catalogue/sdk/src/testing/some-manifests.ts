import type { Manifest } from "../environment/manifest.ts";

/** A workload with one container `server`, of the image example.org/<name>:1, whose pods have the label `app: <name>`. */
export function aWorkloadManifest(
  kind: "Deployment" | "StatefulSet" | "DaemonSet",
  name: string,
  container: object = {},
  spec: object = {},
): Manifest {
  const labels = { app: name };
  const server = { name: "server", image: `example.org/${name}:1`, ...container };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [server] } },
      ...spec,
    },
  };
}

/** A Service of port 80 over the pods with the label `app: <name>`, which listen on 8080. */
export function aServiceManifest(name: string, spec: object = {}): Manifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  };
}
