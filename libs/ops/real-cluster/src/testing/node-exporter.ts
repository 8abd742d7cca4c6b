import { join } from "node:path";
import { execa } from "execa";
import type { RealCluster } from "../real-cluster.ts";

const name = "node-exporter";
const port = 9100;
const withinSeconds = 300;

const container = {
  name,
  image: "busybox:1.36",
  command: ["httpd", "-f", "-p", String(port)],
  ports: [{ containerPort: port, hostPort: port }],
};

const objects = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name } },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { terminationGracePeriodSeconds: 0, containers: [container] },
      },
    },
  },
];

/** Has a pod on every node that takes the node exporter's port, as on most clusters: `host-port-conflict` needs one that is taken. */
export async function installNodeExporter({
  kubeconfig,
  programs,
}: Pick<RealCluster, "kubeconfig" | "programs">): Promise<void> {
  const kubectl = (args: readonly string[], input = ""): Promise<unknown> =>
    execa(join(programs, "kubectl"), ["--kubeconfig", kubeconfig, ...args], {
      input,
      timeout: (withinSeconds + 30) * 1000,
    });
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  await kubectl(["-n", name, "rollout", "status", `daemonset/${name}`, `--timeout=${withinSeconds}s`]);
}
