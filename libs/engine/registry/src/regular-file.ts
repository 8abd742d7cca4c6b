import { statSync } from "node:fs";
import type { Wrong } from "./wrong.types.ts";

/** Most bytes of one file of an entry: ours have below 100,000. */
const mostBytes = 4 * 1024 * 1024;

/**
 * What keeps a file, or what a link leads to, from being read: a pipe would block for ever, a huge file take the memory.
 * Undefined: nothing.
 */
export function unreadable(file: string): Wrong | undefined {
  const problem = (expected: string): Wrong => ({ place: file, field: "", expected });
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return problem("a file: there is none, or a link that leads nowhere");
  if (!stat.isFile()) return problem("a regular file, not a folder, pipe, socket or device");
  if (stat.size > mostBytes) return problem(`a file of at most ${mostBytes} bytes, not ${stat.size}`);
  return undefined;
}
