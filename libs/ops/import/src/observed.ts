import type { Marked } from "./marked.ts";
import type { Usage } from "./usage.ts";

/** What a running system shows of itself. */
export interface Observed {
  /** `<workload>/<container>` -> what one of them uses. */
  readonly usage: ReadonlyMap<string, Usage>;
  /** Calls between workloads, from traces. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly perRequest: number }[];
  /** Requests that each workload has served, from traces. */
  readonly served: ReadonlyMap<string, number>;
  /** That users send. */
  readonly requestsPerSecond?: Marked<number>;
}
