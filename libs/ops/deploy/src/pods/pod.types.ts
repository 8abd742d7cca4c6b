/** What this package reads of Kubernetes' pods; `kubectl` and the API server check the rest. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly securityContext?: SecurityContext;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFrom[];
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly hostPort?: number;
  }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: Action };
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: SecurityContext;
  readonly volumeMounts?: readonly VolumeMount[];
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: KeyRef;
    readonly configMapKeyRef?: KeyRef;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvFrom {
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
}

/** What the kubelet does to check a container, or to notify it. */
export interface Action {
  readonly httpGet?: {
    readonly path: string;
    readonly port: string | number;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly tcpSocket?: { readonly port: string | number };
  readonly exec?: { readonly command: readonly string[] };
}

export interface Probe extends Action {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}

export interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: { readonly type: string };
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyPath[] };
  readonly secret?: {
    readonly secretName: string;
    readonly items?: readonly KeyPath[];
    readonly optional?: boolean;
  };
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly projected?: object;
}

export interface KeyPath {
  readonly key: string;
  readonly path: string;
}
