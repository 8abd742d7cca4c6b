/** Simple commands that one script may run. */
export const mostCommands = 20_000;
/** What one script may print, bytes. */
export const mostOutput = 4 << 20;
