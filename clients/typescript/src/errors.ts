/** Whatever this package throws. */
export class MicroRemedError extends Error {
  override readonly name: string = "MicroRemedError";
}

/** The range said no. */
export class Refused extends MicroRemedError {
  override readonly name: string = "Refused";
  /** One of the codes of docs/reference/errors.md. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Every wrong field of the request. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];

  constructor(message: string, of: Pick<Refused, "code" | "status"> & Partial<Pick<Refused, "issues">>) {
    super(message);
    this.code = of.code;
    this.status = of.status;
    this.issues = of.issues ?? [];
  }
}

/** The turn is over: go on with the next problem. */
export class TurnOver extends Refused {
  override readonly name: string = "TurnOver";
}

/** The range cannot be reached, or a deadline has passed. */
export class NoAnswer extends MicroRemedError {
  override readonly name: string = "NoAnswer";
}
