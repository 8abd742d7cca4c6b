/** Messages of one id are stored once within this window, ms. */
export const duplicateWindowMs = 10 * 60_000;
