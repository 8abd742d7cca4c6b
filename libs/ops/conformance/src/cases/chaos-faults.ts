import type { Step } from "../case.types.ts";
import { box, deployment, manifest, pod } from "../manifests.ts";
import { condition, type Shape } from "../match.ts";
import { given, ready, replicas, until } from "../steps/index.ts";
import { inside } from "../steps/inside.ts";
import { all, chaos, cpu } from "./chaos-objects.ts";

const peer = pod("peer", box());
const target = deployment("box", {}, box({ volumeMounts: [{ name: "data", mountPath: "/data" }], resources: { limits: { memory: "256Mi" } } }), {
  volumes: [{ name: "data", emptyDir: {} }],
});
export const prepared = [
  given(target, peer, manifest("v1 Service", "peer", { spec: { clusterIP: "None", selector: { app: "peer" }, ports: [{ port: 80 }] } })),
  replicas("deploy/box", 1),
  ready("peer"),
  until("ep/peer", { subsets: [{}] }),
];
export const verdict = (faulty: string): string => `if ${faulty}; then echo faulty; else echo fine; fi`;
export const ping = "ping -c 1 -W 2 peer.$NS.svc.cluster.local";

export interface Fault {
  readonly kind: string;
  readonly plural: "stresschaos" | "networkchaos" | "iochaos" | "dnschaos" | "podchaos";
  readonly spec: object;
  /** Steps that see the fault, or that see none. */
  readonly bad: readonly Step[];
  readonly good: readonly Step[];
  readonly survivesRestart: boolean;
}

/** A fault that a shell command in the container notices. */
const noticed = (command: string): Pick<Fault, "bad" | "good"> => ({ bad: [inside("box", verdict(command), /^faulty/)], good: [inside("box", verdict(command), /^fine/)] });

const paused = (yes: boolean): Shape => ({
  items: (pods: { metadata: { deletionTimestamp?: string }; spec: { containers: { image: string }[] } }[]) =>
    pods.every((each) => each.metadata.deletionTimestamp !== undefined || /pause/.test(each.spec.containers[0]?.image ?? "") === yes),
});

export const faults: Readonly<Record<string, Fault>> = {
  "cpu stress": { kind: "StressChaos", plural: "stresschaos", spec: cpu, survivesRestart: false, ...noticed("ps | grep -q '[s]tress-ng'") },
  "memory stress": {
    kind: "StressChaos",
    plural: "stresschaos",
    spec: { ...all, stressors: { memory: { workers: 1, size: "32MiB" } } },
    survivesRestart: false,
    ...noticed("ps | grep -q '[m]emStress'"),
  },
  "network loss": {
    kind: "NetworkChaos",
    plural: "networkchaos",
    spec: { ...all, action: "loss", loss: { loss: "100" } },
    survivesRestart: true,
    ...noticed(`! ${ping} > /dev/null`),
  },
  "network delay": {
    kind: "NetworkChaos",
    plural: "networkchaos",
    spec: { ...all, action: "delay", delay: { latency: "500ms" } },
    survivesRestart: true,
    ...noticed(`${ping} | grep -q 'time=[5-9][0-9][0-9]'`),
  },
  "disk fault": {
    kind: "IOChaos",
    plural: "iochaos",
    spec: { ...all, action: "fault", volumePath: "/data", errno: 5, percent: 100 },
    survivesRestart: false,
    ...noticed("! dd if=/dev/zero of=/data/f bs=1k count=1 2> /dev/null"),
  },
  "name resolution fault": {
    kind: "DNSChaos",
    plural: "dnschaos",
    spec: { ...all, action: "error" },
    survivesRestart: true,
    ...noticed("! nslookup kubernetes.default.svc.cluster.local > /dev/null 2>&1"),
  },
  "pod failure": {
    kind: "PodChaos",
    plural: "podchaos",
    spec: { ...all, action: "pod-failure" },
    survivesRestart: true,
    bad: [until("pod?labelSelector=app=box", paused(true))],
    good: [until("pod?labelSelector=app=box", paused(false)), replicas("deploy/box", 1)],
  },
};

export const holds = (name: string): Shape => condition(name, "True");

export function injected({ kind, plural, spec, bad }: Fault, more: object = {}): Step[] {
  return [...prepared, given(chaos(kind, { ...spec, ...more })), until(`${plural}/x`, holds("AllInjected")), ...bad];
}

export const oneOf = (name: string): Fault => faults[name] as Fault;
