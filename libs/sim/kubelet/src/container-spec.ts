import type { KubeObject } from "@microremed/sim-objects";

export interface EnvSource {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly resourceFieldRef?: { readonly resource: string; readonly containerName?: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

interface EnvFrom {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
}

export interface ProbeSpec {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly scheme?: string;
    readonly host?: string;
  };
  readonly tcpSocket?: { readonly port: number | string; readonly host?: string };
  readonly grpc?: { readonly port: number; readonly service?: string };
  readonly exec?: { readonly command?: readonly string[] };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}

/** What runs right after the start of a container or before it is stopped. */
export interface HookSpec extends Pick<ProbeSpec, "exec" | "httpGet" | "tcpSocket"> {
  readonly sleep?: { readonly seconds: number };
}

type Quantities = Readonly<Record<string, string>>;

/** A container of a pod's spec, as far as the kubelet reads it. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvSource[];
  readonly envFrom?: readonly EnvFrom[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
  readonly resizePolicy?: readonly { readonly resourceName: string; readonly restartPolicy: string }[];
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly subPath?: string;
  }[];
  readonly readinessProbe?: ProbeSpec;
  readonly livenessProbe?: ProbeSpec;
  readonly startupProbe?: ProbeSpec;
  readonly lifecycle?: { readonly postStart?: HookSpec; readonly preStop?: HookSpec };
  readonly securityContext?: { readonly capabilities?: { readonly add?: readonly string[] } };
  /** `Always` makes an init container a sidecar. */
  readonly restartPolicy?: string;
  /** Of an ephemeral container: the one whose processes it shares. */
  readonly targetContainerName?: string;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly terminationMessagePath?: string;
}

export function containersOf(pod: KubeObject): readonly ContainerSpec[] {
  return pod.spec.containers ?? [];
}

export function ephemeralContainersOf(pod: KubeObject): readonly ContainerSpec[] {
  return pod.spec.ephemeralContainers ?? [];
}

export function initContainersOf(pod: KubeObject): readonly ContainerSpec[] {
  return pod.spec.initContainers ?? [];
}
