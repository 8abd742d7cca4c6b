/** What every Kubernetes object has. Readers of a kind narrow the rest by its `Kind<T>`. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Metadata as the API server returns it. Timestamps are RFC 3339, in the cluster's own time. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  /** Of a pod that is to end: how long its programs may take, s. */
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller?: boolean;
  }[];
}

/** A kind as Kubernetes names it. `T` is the shape that its readers rely on; the API server may leave fields out. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  /** Never set: carries T. */
  readonly shape?: T;
}

/** A container as a pod template or a pod spells it. */
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly protocol?: string;
  }[];
  readonly resources?: Resources;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe?: ReadinessProbe | undefined;
  readonly livenessProbe?: ReadinessProbe | undefined;
  readonly startupProbe?: ReadinessProbe | undefined;
}

/** What the judge reads of a probe. The kubelet's defaults: every 10 s, three failures in a row. */
export interface ReadinessProbe {
  readonly httpGet?: unknown;
  readonly tcpSocket?: unknown;
  readonly exec?: unknown;
  readonly grpc?: unknown;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

/**
 * Requests and limits of a container: resource name -> quantity, e.g. `cpu` -> `100m`. `parseQuantity` reads them.
 */
export interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** The part of a pod's spec that the harness reads. */
export interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly activeDeadlineSeconds?: number;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: unknown;
}

/** The kubelet's report on one container. */
export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
  /** Of the run before this one. */
  readonly lastState?: { readonly terminated?: { readonly reason?: string; readonly exitCode?: number } };
}

/** A condition of an object; `status` is `True`, `False` or `Unknown`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** A pod, with the part of its spec and status that the harness reads. */
export interface Pod extends KubeObject {
  readonly spec?: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

/** A Deployment or StatefulSet. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template?: { readonly metadata?: Partial<ObjectMeta>; readonly spec?: PodSpec };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

/** A Service, with its selector and ports. */
export interface Service extends KubeObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port: number;
      readonly targetPort?: number | string;
      readonly nodePort?: number;
    }[];
  };
}

/** The pod addresses behind a Service, by whether the pods are ready. */
export interface Endpoints extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly notReadyAddresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

/** Some of a Service's addresses, in the group that replaces Endpoints. */
export interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly addresses?: readonly string[] }[];
  readonly ports?: readonly { readonly port?: number }[];
}

/** What a controller has reported of an object. */
export interface Event extends KubeObject {
  readonly message?: string;
  /** The other object that it is about, such as the pod for which one was put away. */
  readonly related?: { readonly namespace?: string; readonly uid?: string };
  readonly involvedObject?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  };
}

/** A Chaos Mesh experiment. */
export interface Chaos extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly experiment?: {
      readonly desiredPhase?: string;
      readonly containerRecords?: readonly { readonly id: string; readonly phase: string }[];
    };
  };
}
