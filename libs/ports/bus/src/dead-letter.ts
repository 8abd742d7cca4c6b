export { DeadLetter } from "@microremed/contracts";

/** Characters of a dead message's body and reason that are kept. */
export const keptBody = 256 * 1024;
export const keptReason = 8192;
