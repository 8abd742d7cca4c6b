import type { Cluster } from "@microremed/cluster";

/** What a module gave, as it is registered. */
export interface TaskResult {
  readonly changed: boolean;
  readonly failed?: boolean;
  readonly skipped?: boolean;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** Where a playbook is run. */
export interface Place {
  readonly cluster: Cluster;
  /** Of kubectl's calls that name none. */
  readonly namespace: string;
  /** When the whole run must have ended, cluster time, ms. */
  readonly endsAt: number;
  readonly signal: AbortSignal | undefined;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ModuleContext extends Place {
  /** With templates replaced; a free-form text is `_raw_params`. */
  readonly args: Arguments;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether all of the conditions hold, for `assert`. */
  readonly holds: (condition: unknown) => boolean;
  /** The value of a variable's name, for `debug`. */
  readonly variable: (name: string) => unknown;
}

export type Module = (context: ModuleContext) => Promise<TaskResult>;
