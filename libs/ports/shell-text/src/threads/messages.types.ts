/** What fails in a script because the process that runs it says so. */
export interface Failure {
  readonly message: string;
  /** Of an error of a file. */
  readonly code?: string | undefined;
  /** By which the process knows the error itself. */
  readonly number: number;
}

/** An order begins a script. `now`: time of its cluster, ms since 1970. */
export type ToThread<Order, Answer> =
  | { readonly order: Order; readonly now: number }
  | { readonly id: number; readonly answer: Answer; readonly now: number }
  | { readonly id: number; readonly failure: Failure; readonly now: number }
  /** The script is to end. */
  | { readonly stop: true };

export type FromThread<Question, End> =
  | { readonly id: number; readonly question: Question }
  | { readonly end: End }
  /** The program of the thread itself failed, or what its process said was not caught: then with its number. */
  | { readonly failed: string; readonly number?: number | undefined };
