/** What a container of a running system uses. */
export interface Usage {
  readonly cpuCores: number;
  readonly memoryBytes: number;
}
