import { isJsonObject } from "@microremed/core";
import type { Manifest } from "./environment/manifest.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A manifest with what the API server fills in of the fields that faults change: what the running object shows,
 * whether the manifest says it or leaves it out.
 */
export function withApiDefaults(manifest: Manifest): Manifest {
  const { spec } = manifest;
  if (!isJsonObject(spec)) return manifest;
  const fill = ofKind[manifest.kind];
  return fill ? { ...manifest, spec: fill(spec) } : manifest;
}

const quarter = "25%";

const ofKind: Readonly<Record<string, (spec: Fields) => Fields>> = {
  Service: (spec) => ({
    type: "ClusterIP",
    ...(spec["type"] !== "ExternalName" && { internalTrafficPolicy: "Cluster" }),
    sessionAffinity: "None",
    ...spec,
    ...each(spec, "ports", (port) => ({ protocol: "TCP", targetPort: port["port"], ...port })),
  }),
  Deployment: (spec) => ({
    replicas: 1,
    ...withPods(spec),
    strategy: strategyOf(spec["strategy"], { maxUnavailable: quarter, maxSurge: quarter }),
  }),
  StatefulSet: (spec) => ({
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    ...withPods(spec),
    updateStrategy: strategyOf(spec["updateStrategy"], { partition: 0 }),
  }),
  DaemonSet: (spec) => ({
    ...withPods(spec),
    updateStrategy: strategyOf(spec["updateStrategy"], { maxUnavailable: 1, maxSurge: 0 }),
  }),
};

function strategyOf(given: unknown, usual: Fields): Fields {
  const strategy = isJsonObject(given) ? given : {};
  const { type = "RollingUpdate", rollingUpdate } = strategy;
  if (type !== "RollingUpdate") return { type, ...strategy };
  const own = isJsonObject(rollingUpdate) ? rollingUpdate : {};
  return { type, ...strategy, rollingUpdate: { ...usual, ...own } };
}

function withPods(spec: Fields): Fields {
  const { template } = spec;
  const pods = isJsonObject(template) ? template["spec"] : undefined;
  if (!isJsonObject(template) || !isJsonObject(pods)) return spec;
  const account = pods["serviceAccountName"];
  const filled = {
    // The field's old name says the same.
    ...(account !== undefined && { serviceAccount: account }),
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    ...pods,
    ...each(pods, "initContainers", container),
    ...each(pods, "containers", container),
  };
  return { ...spec, template: { ...template, spec: filled } };
}

const container = (given: Fields): Fields => ({
  ...given,
  ...each(given, "ports", (port) => ({ ...port, protocol: port["protocol"] ?? "TCP" })),
  ...probe(given, "livenessProbe"),
  ...probe(given, "readinessProbe"),
  ...probe(given, "startupProbe"),
});

function probe(given: Fields, name: string): Fields {
  const { [name]: own } = given;
  if (!isJsonObject(own)) return {};
  const { httpGet } = own;
  const usual = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const http = isJsonObject(httpGet) && { httpGet: { path: "/", scheme: "HTTP", ...httpGet } };
  return { [name]: { ...usual, ...own, ...http } };
}

function each(of: Fields, name: string, fill: (item: Fields) => Fields): Fields {
  const items = of[name];
  if (!Array.isArray(items)) return {};
  return { [name]: items.map((item: unknown) => (isJsonObject(item) ? fill(item) : item)) };
}
