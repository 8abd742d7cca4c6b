import type { Behaviour, CallSpec, WorkloadModel } from "./format.ts";
import type { LoadSpec } from "./load-format.ts";
import type { Manifest } from "./manifest.ts";

type Fields<T> = Readonly<Record<string, T>>;

/** Seconds and counts of a probe, with Kubernetes' defaults. */
export interface ProbeTimings {
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
}

/** A kubelet probe. A port that the manifest names is its number. */
export type ProbeSpec = ProbeTimings &
  (
    | {
        readonly type: "http";
        readonly port: number;
        readonly path: string;
        readonly headers: Fields<string>;
      }
    | { readonly type: "tcp" | "grpc"; readonly port: number }
    | { readonly type: "exec"; readonly command: readonly string[] }
  );

/** The field of a Kubernetes probe that says how it asks, by our type. */
export const probeHandlers = { http: "httpGet", tcp: "tcpSocket", exec: "exec", grpc: "grpc" } as const;

interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean | undefined;
}

/** A variable's value, or where a kubelet takes it from. */
export type EnvValue =
  | string
  | { readonly fieldRef: string }
  | { readonly resourceFieldRef: string }
  | { readonly secretKeyRef: KeyRef }
  | { readonly configMapKeyRef: KeyRef };

/** All keys of an object as variables. `prefix`: before the name of each. */
export type EnvFrom = ({ readonly configMap: string } | { readonly secret: string }) & {
  readonly optional?: boolean | undefined;
  readonly prefix?: string;
};

/** One container of a workload as its manifest has it, and how its program behaves. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  /** `protocol`: other than TCP. */
  readonly ports: readonly {
    readonly name?: string | undefined;
    readonly containerPort: number;
    readonly protocol?: string;
  }[];
  readonly env: Fields<EnvValue>;
  readonly envFrom: readonly EnvFrom[];
  readonly resources: { readonly requests: ResourceAmounts; readonly limits: ResourceAmounts };
  /** Mount path -> volume. */
  readonly volumeMounts: Fields<string>;
  readonly readinessProbe?: ProbeSpec;
  readonly livenessProbe?: ProbeSpec;
  readonly startupProbe?: ProbeSpec;
  /** As `model.yaml` says; else what its image, its command, its ports and its probes imply. */
  readonly behaviour: Behaviour;
}

/** Quantities as Kubernetes writes them: `100m`, `64Mi`. */
export interface ResourceAmounts {
  readonly cpu?: string;
  readonly memory?: string;
  readonly [resource: string]: string | undefined;
}

/**
 * A volume of a pod. A claim's `name` is that of the template in a StatefulSet (`perPod`), else that of the claim; `size` is
 * undefined where the manifests have no such claim.
 */
export type VolumeSpec =
  | { readonly type: "emptyDir" | "other" }
  | { readonly type: "configMap" | "secret"; readonly name: string; readonly optional?: boolean | undefined }
  | {
      readonly type: "claim";
      readonly name: string;
      readonly size: string | undefined;
      readonly perPod: boolean;
    };

/** Kinds of workloads whose pods run on and on. */
export type WorkloadKind = "Deployment" | "StatefulSet" | "DaemonSet";

/** What MicroRemed reads of a workload's manifest, and what the model says of it. */
export interface WorkloadSpec {
  readonly kind: WorkloadKind;
  /** A DaemonSet has one pod on each node that suits: 1 here. Under an autoscaler the fewest that it allows. */
  readonly replicas: number;
  /** The autoscaler among the manifests decides how many there are. */
  readonly isAutoscaled: boolean;
  /** Of its pods: all that its template has. */
  readonly labels: Fields<string>;
  /** Labels by which it finds its pods. */
  readonly selector: Fields<string>;
  readonly annotations: Fields<string>;
  readonly serviceName?: string;
  readonly terminationGracePeriodSeconds: number;
  /** What its pods may do at the API server within their namespace. */
  readonly permissions: readonly {
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly keepsData?: WorkloadModel["keepsData"];
  /** Absent: it is declared by itself. */
  readonly operated?: NonNullable<WorkloadModel["operated"]>;
  readonly initContainers: readonly ContainerSpec[];
  /** At least one; faults act on the first unless a target names another. */
  readonly containers: readonly ContainerSpec[];
  readonly volumes: Fields<VolumeSpec>;
  readonly calls: readonly CallSpec[];
}

/** A Job or CronJob that the model names. */
export interface JobSpec {
  readonly kind: "Job" | "CronJob";
  /** Of its pods: all that its template has. */
  readonly labels: Fields<string>;
  /** Those that the model names; their programs end. */
  readonly initContainers: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
  /** What its first container asks of workloads in a run. */
  readonly calls: readonly CallSpec[];
}

/** A Kubernetes Service. `targetPort` is a number, or the name of a container's port; without a `protocol` it is TCP. */
export interface ServiceSpec {
  readonly type: string;
  readonly headless: boolean;
  readonly publishNotReadyAddresses: boolean;
  /** Empty: it selects no pods, as one whose addresses a client writes. */
  readonly selector: Fields<string>;
  readonly ports: readonly {
    readonly name?: string | undefined;
    readonly port: number;
    readonly protocol?: string | undefined;
    readonly targetPort: number | string;
  }[];
}

/** One system under test: its manifests, what is read of them, the model of its behaviour, and its load. */
export interface Environment {
  readonly name: string;
  readonly description: string;
  /** Where the system and its numbers come from. */
  readonly source: string;
  /** Default namespace. */
  readonly namespace: string;
  /** Workloads that a fault may be drawn for. */
  readonly targets: readonly string[];
  /** Workload -> mounted directory in which its first container keeps files that it waits for. */
  readonly dataMounts: Fields<string>;
  /** As they are written, in the order in which they can be applied. */
  readonly manifests: readonly Manifest[];
  /** What its own operators make of its custom resources while it is healthy: never applied, but judged as declared. */
  readonly made: readonly Manifest[];
  /** In the model's order, then in that of the manifests. */
  readonly workloads: Fields<WorkloadSpec>;
  /** Those that the model names. */
  readonly jobs: Fields<JobSpec>;
  readonly services: Fields<ServiceSpec>;
  readonly configMaps: Fields<Fields<string>>;
  readonly secrets: Fields<Fields<string>>;
  readonly load: LoadSpec;
}
