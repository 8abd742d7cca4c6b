import { oncePer } from "@microremed/core";

/** What the probes' commands of known images ask, by a word in them. */
const asks: readonly (readonly [RegExp, number | "own program"])[] = [
  [/\bmysqladmin\b|\bmysql\b/, 3306],
  [/\bredis-cli\b/, 6379],
  [/\brabbitmq(ctl|-diagnostics)\b/, 5672],
  [/\bxenoncli\b/, "own program"],
];

/**
 * What must answer for a probe command to succeed: a port of the pod, the container's own program, or nothing that the
 * network sees (`pgrep`, `test -f`).
 */
export const probeRequirement = oncePer((command: readonly string[]): number | "own program" | undefined => {
  const text = command.join(" ");
  const port = /-addr[= ]\S*:(\d+)/.exec(text)?.[1];
  if (port !== undefined) return Number(port);
  const url = /https?:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(text)?.[1];
  if (url !== undefined) return Number(url);
  return asks.find(([word]) => word.test(text))?.[1];
});
