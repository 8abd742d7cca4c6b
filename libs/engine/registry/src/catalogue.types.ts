import type { Agent, Environment, Fault, Oracle, Suite, Task, Tool } from "@microremed/catalogue";

/** The entries of one kind. */
export interface Entries<T> {
  /** Sorted. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Throws a terminal error that lists what there is: `unknown-failure`, `unknown-environment`, ... */
  get(name: string): T;
  /** All of them, in the order of their names. */
  all(): readonly T[];
}

/** All entries to choose from: ours and the user's. Plain data, passed to the code that needs it. */
export interface Catalogue {
  readonly faults: Entries<Fault>;
  readonly oracles: Entries<Oracle>;
  readonly tools: Entries<Tool>;
  readonly tasks: Entries<Task>;
  readonly agents: Entries<Agent>;
  readonly environments: Entries<Environment>;
  readonly suites: Entries<Suite>;
}
