/** The JSON of an answer, made only for a reader that wants it: one of this process takes the value. */
export class Rendered {
  readonly bytes: () => Buffer;
  /** What the JSON says. Shared with other readers, so it is frozen. */
  readonly value: () => unknown;

  constructor(bytes: () => Buffer, value: () => unknown = () => JSON.parse(bytes().toString("utf8"))) {
    this.bytes = bytes;
    this.value = value;
  }
}
