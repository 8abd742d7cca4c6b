import type { PlainShell, Step } from "../plain/shell.ts";

/** A part of a script between whose steps time may pass. */
export type Flow =
  /** Runs at one moment, or for as long as its programs take. */
  | { readonly kind: "leaf"; readonly run: Step; readonly endsOnFailure: boolean }
  /** Waits so many ms, and then comes to an exit code of 0. */
  | { readonly kind: "sleep"; ms(shell: PlainShell): Promise<number> }
  /** Goes on without doing anything more. `serves`: in a program that is not known, and may be a server. */
  | { readonly kind: "stays"; readonly serves: boolean }
  /** `trap ... EXIT`: what runs when the script ends, in place of what an earlier one says. */
  | { readonly kind: "at-exit"; readonly flow: Flow }
  | { readonly kind: "list"; readonly parts: readonly Flow[] }
  /** `a && b || c`: each part but the first with its operator. */
  | { readonly kind: "chain"; readonly parts: readonly Link[] }
  | { readonly kind: "if"; readonly clauses: readonly Clause[]; readonly otherwise: Flow | undefined }
  | {
      readonly kind: "while";
      readonly condition: Flow;
      readonly body: Flow;
      /** The exit code of the condition at which the loop ends is 0: `until`. */
      readonly until: boolean;
      /** It never ends. */
      readonly always: boolean;
      /** The same commands in the same order each time, so that a few rounds show what many do. */
      readonly even: boolean;
    }
  | {
      readonly kind: "for";
      readonly variable: string;
      values(shell: PlainShell): Promise<readonly string[]>;
      readonly body: Flow;
    };

export interface Link {
  readonly operator: "&&" | "||" | ";" | undefined;
  readonly negated: boolean;
  readonly flow: Flow;
}

export interface Clause {
  readonly condition: Flow;
  readonly body: Flow;
}

/** A container's own script, ready to run. */
export interface MainFlow {
  readonly flow: Flow;
  /** It has loops, waits, or never ends. */
  readonly takesTime: boolean;
  /**
   * It never ends, and all that it does is print what follows from its variables and the time: it can be run when
   * its log is read.
   */
  readonly isLazy: boolean;
}
