import { inItsWords, justBash, serveThread, stepBound, tooManySteps } from "@microremed/shell-text";
import type { Printed, ShellOrder, ShellQuestion } from "./messages.types.ts";

/** Bounds for one script. What it computes beside them is bounded by the CPU that its thread may take. */
const executionLimits = {
  maxCommandCount: 20_000,
  maxLoopIterations: 20_000,
  maxAwkIterations: 5_000,
  maxSedIterations: 5_000,
  maxJqIterations: 20_000,
  maxQueryElements: 100_000,
  maxOutputSize: 4 << 20,
  maxStringLength: 4 << 20,
  maxSourceBytes: 1 << 20,
  // On the cluster's clock, which has its own deadline for the script.
  maxExecutionTimeMs: 24 * 3_600_000,
};

serveThread<ShellOrder, ShellQuestion, Printed, Printed>(async ({ script, env }, ask, stop) => {
  const steps = stepBound();
  try {
    const { Bash, defineCommand, parse, serialize } = await justBash();
    const bash = new Bash({
      customCommands: [
        defineCommand("kubectl", (words, { stdin }) => ask({ kubectl: words, stdin: String(stdin) })),
      ],
      coverage: steps,
      env: { ...env },
      sleep: async (ms) => {
        await ask({ sleepMs: ms });
      },
      executionLimits,
      // It patches globals of the whole process; no guest code runs as JavaScript here.
      defenseInDepth: false,
    });
    const words = inItsWords(script, { parse, serialize });
    const { stdout, stderr, exitCode } = await bash.exec(words, { signal: stop, rawScript: true });
    return { stdout, stderr, exitCode };
  } catch (thrown) {
    if (!steps.exceeded) throw thrown;
    return { stdout: "", stderr: `error: ${tooManySteps}\n`, exitCode: 1 };
  }
});
