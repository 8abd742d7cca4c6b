import { posix } from "node:path";
import { shellWord } from "@microremed/core";
import { inItsWords, justBash, serveThread, stepBound, tooManySteps } from "@microremed/shell-text";
import type { CommandName, ExecOptions, IFileSystem } from "just-bash";
import { handOverBackground } from "../hand-over-background.ts";
import { mostCommands, mostOutput } from "../limits.ts";
import type { ScriptEnd, ScriptOrder, ScriptQuestion } from "../script-messages.types.ts";
import { sentOn } from "../sent-on.ts";
import { threadCommands } from "./thread-commands.ts";

/** Bounds for one script. What it computes beside them is bounded by the CPU that its thread may take. */
const executionLimits = {
  maxCommandCount: mostCommands,
  maxLoopIterations: 20_000,
  maxOutputSize: mostOutput,
  maxStringLength: 4 << 20,
  maxSourceBytes: 1 << 20,
  maxWorkUnits: 200_000,
};

serveThread<ScriptOrder, ScriptQuestion, unknown, ScriptEnd>(async (order, ask, stop) => {
  const { script, args, env, cwd, shell, pid, programs, stdin } = order;
  const { Bash, defineCommand, parse, serialize } = await justBash();
  const steps = stepBound();
  const bash = new Bash({
    fs: filesOf(order, ask),
    coverage: steps,
    cwd,
    env: { ...env },
    commands: [...programs] as CommandName[],
    customCommands: threadCommands(order, ask, defineCommand, stop),
    sleep: async (ms) => {
      await ask({ sleepMs: ms });
    },
    executionLimits,
    // It patches globals of the whole process; no guest code runs as JavaScript here.
    defenseInDepth: false,
    processInfo: { pid, ppid: 0, uid: 0, gid: 0 },
  });
  const language = { parse, serialize };
  const text = args ? [script, ...args].map(shellWord).join(" ") : handOverBackground(script, language);
  const options: ExecOptions = { stdin, stdinKind: "bytes", signal: stop, rawScript: true };
  try {
    const result = await bash.exec(sentOn(inItsWords(text, language), language, shell), options);
    return {
      stdout: result.stdout,
      isBinary: "stdoutKind" in result && result.stdoutKind === "bytes",
      stderr: result.stderr,
      exitCode: result.exitCode,
      cwd: result.env["PWD"],
    };
  } catch (thrown) {
    if (!steps.exceeded) throw thrown;
    const stderr = `bash: ${tooManySteps}\n`;
    return { stdout: "", isBinary: false, stderr, exitCode: 126, cwd: undefined };
  }
});

/** The container's files, which the cluster has. */
function filesOf(
  { fileMethods, nowhere }: ScriptOrder,
  ask: (question: ScriptQuestion) => Promise<unknown>,
): IFileSystem {
  const methods = fileMethods.map((file) => [file, (...args: unknown[]) => ask({ file, args })]);
  return {
    ...Object.fromEntries(methods),
    resolvePath: (base: string, path: string) => (path === "" ? nowhere : posix.resolve("/", base, path)),
    getAllPaths: () => [],
  } as unknown as IFileSystem;
}
