import { longFile } from "@microremed/sim-machine";
import { parseDdSize } from "../container/byte-text.ts";
import type { Command } from "../container/command.types.ts";
import { fileWords } from "../container/file-error.ts";
import { parseOptions } from "../container/options.ts";

/** What a kernel clears of a tmpfs's pages, bytes per second. On a disk nothing is written. */
const clearRate = 8e9;
/** Of a longer file the beginning is kept: it holds zeros. */
const maxKeptBytes = 1 << 20;

/** `fallocate -l LENGTH FILE`: gives a file room, which it takes from its file system at once. */
export const fallocate: Command = async ({ args, files, cwd, deps, signal, err, flavour }) => {
  const { values, rest } = parseOptions(args, [], ["l", "o", "length", "offset"]);
  const bytes = parseDdSize(values.get("l") ?? values.get("length") ?? "");
  const [name] = rest;
  if (bytes === undefined || bytes === 0 || name === undefined) {
    err("fallocate: usage: fallocate -l LENGTH FILE\n");
    return 1;
  }
  const path = files.resolvePath(cwd, name);
  try {
    if (files.isInMemory(path)) await deps.loop.sleep((1000 * bytes) / clearRate, signal);
    const has = await files.stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    // It gives room and takes none away.
    if (has >= bytes) return 0;
    await files.writeFile(path, longFile(new Uint8Array(Math.min(bytes, maxKeptBytes)), bytes));
    return 0;
  } catch (thrown) {
    signal.throwIfAborted();
    err(`fallocate: fallocate '${name}': ${fileWords(thrown, flavour)}\n`);
    return 1;
  }
};
