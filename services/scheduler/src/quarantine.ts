/** What misbehaved gets another chance after so long, ms. */
export const quarantineMs = 15 * 60_000;
