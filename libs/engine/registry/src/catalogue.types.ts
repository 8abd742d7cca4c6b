import type {
  Agent,
  Environment,
  Fault,
  Noise,
  Oracle,
  Problem,
  Suite,
  Task,
  Tool,
} from "@microremed/catalogue";

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

/** An environment that replaces another of the same name. */
export interface Replaced {
  readonly name: string;
  /** The file that is used. */
  readonly file: string;
  /** The file that is not; ours: `built in`. */
  readonly instead: string;
}

/** The problems of all suites. */
export interface Problems {
  /** Names of the suites that have problems, sorted. */
  readonly suites: readonly string[];
  /** Suite by suite, each in its order. */
  all(): readonly Problem[];
  /** Those of a suite, in its order. Throws `unknown-problem` (terminal) that lists the suites. */
  of(suite: string): readonly Problem[];
  /** Whether there is one of that name; costs no search for what may have been meant. */
  has(id: string): boolean;
  /** Throws `unknown-problem` (terminal). */
  get(id: string): Problem;
  /**
   * A problem as experiments of a seed have it, with everything that is drawn: where its suite draws values, those of its
   * faults, and in pools noises, load and times. Else it is the same.
   */
  at(problem: Problem, seed: number): Problem;
}

/** All entries to choose from: ours and the user's. Plain data, passed to the code that needs it. */
export interface Catalogue {
  readonly faults: Entries<Fault>;
  readonly noises: Entries<Noise>;
  readonly oracles: Entries<Oracle>;
  readonly tools: Entries<Tool>;
  readonly tasks: Entries<Task>;
  readonly agents: Entries<Agent>;
  readonly environments: Entries<Environment>;
  readonly suites: Entries<Suite>;
  readonly problems: Problems;
  /** Environments that users' files replace, published suites on them included: to be shown. */
  readonly replaced: readonly Replaced[];
}
