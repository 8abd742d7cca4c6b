/**
 * How well something is known. `sure`: the manifests or the running system say so. `likely`: it follows from names or from what
 * such programs usually do. `guess`: nothing contradicts it.
 */
export type Confidence = "sure" | "likely" | "guess";

/** A value that was inferred, and from what. */
export interface Marked<T> {
  readonly value: T;
  readonly confidence: Confidence;
  /** In a few words, such as `image mongo:4.4.6`. */
  readonly why: string;
}

const marked =
  (confidence: Confidence) =>
  <T>(value: T, why: string): Marked<T> => ({ value, confidence, why });

export const sure = marked("sure");
export const likely = marked("likely");
export const guess = marked("guess");

const order: readonly Confidence[] = ["sure", "likely", "guess"];

/** Whether the first is known at least as well as the second. */
export const isAtLeast = (a: Confidence, b: Confidence): boolean => order.indexOf(a) <= order.indexOf(b);
