import type { Command } from "../container/command.types.ts";
import { fileWords } from "../container/file-error.ts";

/** Printed at once; then the client has to take it, bytes. */
const pieceBytes = 256 << 10;

/** `cat`, without options. */
export const cat: Command = async (context) => {
  const { args, files, cwd, err, stdin, flavour, signal } = context;
  let code = 0;
  async function out(content: Uint8Array): Promise<void> {
    if (!context.drained) return context.out(content);
    for (let at = 0; at < content.byteLength; at += pieceBytes) {
      context.out(content.subarray(at, at + pieceBytes));
      await context.drained();
    }
  }
  const paths = args.filter((arg) => arg === "-" || !arg.startsWith("-"));
  const all = async (): Promise<void> => {
    if (context.input) for await (const chunk of context.input) await out(chunk);
    else await out(await stdin());
  };
  if (paths.length === 0) await all();
  for (const path of paths) {
    try {
      if (path === "-") await all();
      else await out(await files.readFileBuffer(files.resolvePath(cwd, path)));
    } catch (thrown) {
      signal.throwIfAborted();
      const words = fileWords(thrown, flavour);
      err(flavour === "busybox" ? `cat: can't open '${path}': ${words}\n` : `cat: ${path}: ${words}\n`);
      code = 1;
    }
  }
  return code;
};
