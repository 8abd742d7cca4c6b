import { setFlagsFromString } from "node:v8";

/**
 * Patterns of shells in containers (`case $x in *a*a*a*b)`) become regular expressions. From now on, one that backtracks too
 * much goes on in V8's engine that takes linear time; else it would hold up the whole process. For all of the process.
 */
export function boundPatterns(): void {
  setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
}
