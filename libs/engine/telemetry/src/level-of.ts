/** How bad a line of a log says that it is. */
export type Level = "DEBUG" | "INFO" | "WARN" | "ERROR";

const words: readonly (readonly [Level, RegExp])[] = [
  ["ERROR", /\b(?:error|err|fatal|severe|critical|panic)\b/i],
  ["WARN", /\bwarn(?:ing)?\b/i],
  ["DEBUG", /\b(?:debug|trace)\b/i],
  ["INFO", /\b(?:info|notice)\b/i],
];
/** Where formats have the level: at the beginning. */
const mostCharacters = 200;

/** The level that a line names; undefined: none. */
export function levelOf(line: string): Level | undefined {
  const start = line.slice(0, mostCharacters);
  return words.find(([, pattern]) => pattern.test(start))?.[0];
}
