/** A machine of the cluster: its address, the addresses of its pods, and its size. */
export interface NodeSpec {
  readonly name: string;
  readonly ip: string;
  /** First three bytes of its pods' addresses. */
  readonly podPrefix: string;
  readonly cores: number;
  readonly memoryGi: number;
}

/** The simulated cluster's nodes: together room for train-ticket with a rolling update of every workload. */
export const nodeSpecs: readonly NodeSpec[] = [1, 2, 3].map((number) => ({
  name: `node-${number}`,
  ip: `192.168.10.${10 + number}`,
  podPrefix: `10.244.${number}`,
  cores: 16,
  memoryGi: 64,
}));
