/**
 * Cases that the embedded cluster does not pass yet, as `area: name`, with the reason. A case that begins to pass must
 * leave this list, a case that fails must not enter it without a reason.
 */
export const knownGaps: ReadonlyMap<string, string> = new Map([
  [
    "label, annotate: an empty list counts as a change of a NetworkPolicy",
    "it has no effect, and the server of this one kind alone compares before it leaves zeros out",
  ],
]);
