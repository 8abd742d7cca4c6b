import { manifest } from "../manifests.ts";

export const chaos = (kind: string, spec: object, metadata: Readonly<Record<string, unknown>> = {}) => manifest(`chaos-mesh.org/v1alpha1 ${kind}`, "x", { spec }, metadata);
export const all = { mode: "all", selector: { labelSelectors: { app: "box" } } };
export const cpu = { ...all, stressors: { cpu: { workers: 1, load: 50 } } };
export const delay = { ...all, action: "delay", delay: { latency: "100ms" } };
export const io = { ...all, action: "latency", volumePath: "/data", delay: "100ms", percent: 100 };
