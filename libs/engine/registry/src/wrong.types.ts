/** A place that is wrong, and what was expected there. */
export interface Wrong {
  /** File or folder. */
  readonly place: string;
  /** In it; empty: all of it. */
  readonly field: string;
  /** To be read after "expected"; or, in a sentence of its own, what is wrong. */
  readonly expected: string | { readonly sentence: string };
}
