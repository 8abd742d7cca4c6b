import type { Manifest } from "./case.types.ts";

type Fields = Readonly<Record<string, unknown>>;

export const busybox = "busybox:1.35";
export const nginx = "nginx:1.27";
const pause = "registry.k8s.io/pause:3.10";

/** A shell script as a container's command. */
export const shell = (script: string): Fields => ({ command: ["sh", "-c", script] });

/** A container named `main` that does nothing. */
export const container = (fields: Fields = {}): Fields => ({ name: "main", image: pause, ...fields });

/** One that has a shell, and ends at once on SIGTERM. */
export const box = (fields: Fields = {}): Fields =>
  container({ image: busybox, ...shell("trap 'exit 0' TERM; while true; do sleep 1; done"), ...fields });

export const podSpec = (main: Fields = container(), spec: Fields = {}): Fields => ({
  terminationGracePeriodSeconds: 1,
  containers: [main],
  ...spec,
});

/** A pod, labelled `app=<name>`. */
export const pod = (name: string, main: Fields = container(), spec: Fields = {}): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name } },
  spec: podSpec(main, spec),
});

const template = (app: string, main: Fields, podFields: Fields): Fields => ({
  metadata: { labels: { app } },
  spec: podSpec(main, podFields),
});

/** A workload that selects `app=<name>`. */
const workload =
  (kind: string, defaults: (name: string) => Fields) =>
  (name: string, spec: Fields = {}, main: Fields = container(), podFields: Fields = {}): Manifest => ({
    apiVersion: "apps/v1",
    kind,
    metadata: { name, labels: { app: name } },
    spec: {
      selector: { matchLabels: { app: name } },
      template: template(name, main, podFields),
      ...defaults(name),
      ...spec,
    },
  });

export const deployment = workload("Deployment", () => ({}));
export const daemonSet = workload("DaemonSet", () => ({}));
export const replicaSet = workload("ReplicaSet", () => ({}));
export const statefulSet = workload("StatefulSet", (name) => ({ serviceName: name }));

export const job = (name: string, script: string, spec: Fields = {}): Manifest => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: {
    template: {
      spec: podSpec({ name: "main", image: busybox, ...shell(script) }, { restartPolicy: "Never" }),
    },
    ...spec,
  },
});

export const cronJob = (name: string, spec: Fields = {}): Manifest => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name },
  spec: { schedule: "* * * * *", jobTemplate: { spec: job(name, "true").spec }, ...spec },
});

export const service = (name: string, spec: Fields = {}): Manifest => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
});

export const configMap = (
  name: string,
  data: Fields = { key: "value" },
  metadata: Fields = {},
): Manifest => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

export const secret = (name: string, stringData: Fields = { key: "value" }): Manifest => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  stringData,
});

export const serviceAccount = (name: string): Manifest => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name },
});

/** Any other kind: `apiVersion Kind`, a name, the rest. */
export const manifest = (type: string, name: string, rest: Fields = {}, metadata: Fields = {}): Manifest => {
  const [apiVersion = "", kind = ""] = type.split(" ");
  return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
};

/** Several objects as one file. */
export const list = (...items: readonly Manifest[]): Manifest => ({
  apiVersion: "v1",
  kind: "List",
  metadata: {},
  items,
});
