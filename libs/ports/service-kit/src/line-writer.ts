import { write, writeSync } from "node:fs";

/** Bytes of lines that wait to be written; beyond it new ones are dropped. */
const keptBytes = 16 * 2 ** 20;
/** A pipe whose reader is slow is tried again after so long, ms. */
const busyMs = 50;

/** Writes lines to a file descriptor, one write at a time. */
export interface LineWriter {
  write(line: string): void;
  /** At the end of the process: writes what waits, as far as it can be written. */
  flush(): void;
}

/**
 * A log's way out that nothing depends on: lines that cannot be written, to a full disk for example, wait for the next
 * one, and beyond a bound are dropped. pino's own destination throws then, and waits for ever at the end of the process.
 */
export function createLineWriter(fd: number): LineWriter {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let underWay: Buffer | undefined;

  const next = (): void => {
    if (underWay || waiting.length === 0) return;
    const chunk = Buffer.concat(waiting);
    waiting = [];
    underWay = chunk;
    write(fd, chunk, (error, written) => {
      underWay = undefined;
      const rest = chunk.subarray(error ? 0 : written);
      bytes -= chunk.length - rest.length;
      if (rest.length > 0) waiting.unshift(rest);
      if (!error) next();
      else if (error.code === "EAGAIN") setTimeout(next, busyMs).unref();
    });
  };
  return {
    write: (line) => {
      const chunk = Buffer.from(line);
      if (bytes + chunk.length > keptBytes) return;
      bytes += chunk.length;
      waiting.push(chunk);
      next();
    },
    flush: () => {
      // What is under way the system has, or will refuse again.
      let rest = Buffer.concat(waiting);
      waiting = [];
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch {
        // There is nowhere left to say it.
      }
    },
  };
}
