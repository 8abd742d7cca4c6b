/** What a container of a running system uses. */
export interface Usage {
  readonly cpuCores: number;
  readonly memoryBytes: number;
  /** That its pod served meanwhile, as traces show; undefined: they do not. */
  readonly requestsPerSecond?: number | undefined;
}
