import { normalized } from "@microremed/sim-machine";
import type { Command } from "../container/command.types.ts";
import { fileWords } from "../container/file-error.ts";

/** `cat`, without options. */
export const cat: Command = async ({ args, files, cwd, out, err, stdin, flavour, signal }) => {
  let code = 0;
  const paths = args.filter((arg) => arg === "-" || !arg.startsWith("-"));
  if (paths.length === 0) out(await stdin());
  for (const path of paths) {
    try {
      out(path === "-" ? await stdin() : await files.readFileBuffer(normalized(path, cwd)));
    } catch (thrown) {
      signal.throwIfAborted();
      const words = fileWords(thrown, flavour);
      err(flavour === "busybox" ? `cat: can't open '${path}': ${words}\n` : `cat: ${path}: ${words}\n`);
      code = 1;
    }
  }
  return code;
};
