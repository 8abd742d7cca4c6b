/** A toleration as Kubernetes has it. */
export interface Toleration {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
}

/** What runner pods are like, and how many there may be. */
export interface RunnerSettings {
  /** Where they are made. Nothing else may be there. */
  readonly namespace: string;
  /** With bash, Python 3, ansible-playbook and kubectl. */
  readonly image: string;
  /** Whose pods they are: what an executor of that name has left is removed when it starts again. A label's value. */
  readonly owner: string;
  /** Pods that wait for a run. */
  readonly warm: number;
  /** Pods at once. */
  readonly most: number;
  /** CPUs of a run, e.g. `1` or `500m`. */
  readonly cpu: string;
  /** Memory of a run, its files included, e.g. `1Gi`. */
  readonly memory: string;
  readonly runtimeClass?: string | undefined;
  readonly tolerations: readonly Toleration[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Names of Secrets in the pods' namespace. */
  readonly imagePullSecrets: readonly string[];
  /** `enforced`: a pod that reaches anything takes no run. */
  readonly network: "enforced" | "unenforced";
  /** Addresses that answer outside of the pods, which no pod may reach. */
  readonly unreachable: readonly (readonly [host: string, port: number])[];
}
