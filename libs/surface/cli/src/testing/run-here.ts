import { PassThrough } from "node:stream";
import { silentLogger } from "@microremed/core";
import { program, report } from "../main.ts";
import { createTerminal } from "../terminal.ts";

/** A command in this process, into pipes: what it printed, what it said, its exit code. `columns`: as COLUMNS has it. */
export async function runHere(argv: readonly string[], columns?: string) {
  const chunks = { out: "", err: "" };
  const stream = (name: keyof typeof chunks) =>
    new PassThrough().on("data", (chunk: Buffer) => {
      chunks[name] += String(chunk);
    }) as unknown as NodeJS.WriteStream;
  const env = columns === undefined ? {} : { COLUMNS: columns };
  const context = {
    terminal: createTerminal(stream("out"), stream("err"), env),
    ...{ log: silentLogger, env: {}, signal: new AbortController().signal },
  };
  const code = await (await program(context, argv)).parseAsync([...argv], { from: "user" }).then(
    () => 0,
    (error: unknown) => report(context, error),
  );
  await new Promise(setImmediate);
  return { code, ...chunks };
}
