import { Writable } from "node:stream";
import { silentLogger } from "@microremed/core";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { program, report } from "../main.ts";
import { createTerminal } from "../terminal.ts";

/** A context that keeps what is said and printed. */
export function heardContext(env: NodeJS.ProcessEnv): {
  readonly context: Context;
  readonly stdout: () => string;
  readonly stderr: () => string;
} {
  const [out, err] = [sink(), sink()];
  const context: Context = {
    terminal: createTerminal(out.stream, err.stream, env),
    log: silentLogger,
    env,
    signal: new AbortController().signal,
  };
  return { context, stdout: out.text, stderr: err.text };
}

function sink() {
  const written: Buffer[] = [];
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    written.push(chunk);
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY: false }) as unknown as NodeJS.WriteStream;
  return { stream, text: () => Buffer.concat(written).toString() };
}

/** What a line of words comes to in a context: its exit code. */
export async function codeOf(context: Context, argv: readonly string[]): Promise<number> {
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await (await program(context, argv)).parseAsync([...argv], { from: "user" });
    return Number(process.exitCode ?? exitCodes.ok.code);
  } catch (error) {
    return report(context, error);
  } finally {
    process.exitCode = before;
  }
}

/**
 * A command as `runCommand` runs it, but in this process, which saves a start of a second: for commands that end by themselves.
 * The working directory of the process is another one meanwhile.
 */
export async function runLine(directory: string, ...argv: string[]) {
  const { NATS_URL: _, ...env } = process.env;
  const before = process.cwd();
  process.chdir(directory);
  try {
    const { context, stdout, stderr } = heardContext({ COLUMNS: "10000", ...env });
    const code = await codeOf(context, argv);
    return { code, stdout: stdout(), stderr: stderr() };
  } finally {
    process.chdir(before);
  }
}
