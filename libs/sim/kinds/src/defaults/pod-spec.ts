import type { Loose, LooseRecord } from "@microremed/sim-objects";

/** Sets what is absent; null counts as absent. */
export function fill(target: LooseRecord, defaults: LooseRecord): void {
  for (const [key, value] of Object.entries(defaults)) target[key] ??= value;
}

function usesLatest(image: string): boolean {
  if (image.includes("@")) return false;
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  return tag === undefined || tag === "latest";
}

function defaultHttpGet(action: Loose): void {
  if (action?.httpGet) fill(action.httpGet, { path: "/", scheme: "HTTP" });
}

function defaultProbe(probe: Loose): void {
  if (!probe) return;
  defaultHttpGet(probe);
  if (probe.grpc) fill(probe.grpc, { service: "" });
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
}

function defaultContainer(container: Loose): void {
  fill(container, {
    imagePullPolicy: usesLatest(String(container.image ?? "")) ? "Always" : "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    resources: {},
  });
  for (const port of container.ports ?? []) fill(port, { protocol: "TCP" });
  for (const variable of container.env ?? []) {
    if (variable.valueFrom?.fieldRef) fill(variable.valueFrom.fieldRef, { apiVersion: "v1" });
    if (variable.valueFrom?.resourceFieldRef) fill(variable.valueFrom.resourceFieldRef, { divisor: "0" });
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) defaultProbe(container[name]);
  defaultHttpGet(container.lifecycle?.postStart);
  defaultHttpGet(container.lifecycle?.preStop);
}

function defaultVolume(volume: Loose): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  if (volume.hostPath) fill(volume.hostPath, { type: "" });
  for (const kind of ["configMap", "secret", "projected", "downwardAPI"]) {
    if (volume[kind]) fill(volume[kind], { defaultMode: 420 });
  }
  const mounted = [...(volume.downwardAPI?.items ?? []), ...(volume.projected?.sources ?? [])];
  for (const item of mounted.flatMap((source: Loose) => source.downwardAPI?.items ?? [source])) {
    if (item.fieldRef) fill(item.fieldRef, { apiVersion: "v1" });
    if (item.serviceAccountToken) fill(item.serviceAccountToken, { expirationSeconds: 3600 });
  }
}

/** What a pod template's spec gets from the API server. Changes `spec`. */
export function defaultPodSpec(spec: Loose): void {
  fill(spec, {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    terminationGracePeriodSeconds: 30,
    securityContext: {},
  });
  if (spec.serviceAccountName) spec.serviceAccount ??= spec.serviceAccountName;
  if (spec.serviceAccount) spec.serviceAccountName ??= spec.serviceAccount;
  if (spec.hostNetwork) {
    for (const port of (spec.containers ?? []).flatMap((container: Loose) => container.ports ?? [])) {
      port.hostPort ??= port.containerPort;
    }
  }
  const kinds = [spec.initContainers, spec.containers, spec.ephemeralContainers];
  for (const container of kinds.flatMap((list: Loose) => list ?? [])) defaultContainer(container);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
}
