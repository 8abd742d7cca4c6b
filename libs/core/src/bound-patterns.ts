import { setFlagsFromString } from "node:v8";

/**
 * For patterns that others write, such as `case $x in *a*a*a*b)` of a script: from now on, a regular expression that backtracks too
 * much goes on in V8's engine that takes linear time; else it would hold up the whole process. For all of the process. That
 * engine knows no lookaround and no back references: refuse patterns that have them.
 */
export function boundPatterns(): void {
  setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
}
