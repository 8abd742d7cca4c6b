/** Usage in the units of metrics.k8s.io: cpu as `12345678n`, memory as `123456Ki`. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

/** One sample of a pod, as metrics.k8s.io has it. */
export interface PodMetrics {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly timestamp: string;
  /** Go duration such as `15s`. */
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

/** One sample of a node, as metrics.k8s.io has it. `timestamp` is RFC 3339, `window` a Go duration such as `15s`. */
export interface NodeMetrics {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timestamp: string;
  readonly window: string;
  readonly usage: Usage;
}

/** What metrics-server knows now; a pod without a finished measurement is left out. */
export interface MetricsProvider {
  pods(namespace: string | undefined): readonly PodMetrics[];
  nodes(): readonly NodeMetrics[];
}
