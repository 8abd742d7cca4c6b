import { parentPort } from "node:worker_threads";
import { inItsWords, justBash, stepBound, tooManySteps } from "@microremed/shell-text";
import { setTime, useClusterTime } from "./cluster-time.ts";
import type { FromShell, Printed, ShellOrder, ShellQuestion, ToShell } from "./messages.types.ts";

if (!parentPort) throw new TypeError("this program is for a thread");
const port = parentPort;

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

let asked = 0;
const waiting = new Map<number, PromiseWithResolvers<Printed>>();
let stop = new AbortController();

const say = (message: FromShell): void => port.postMessage(message);

function ask(question: ShellQuestion): Promise<Printed> {
  const id = ++asked;
  const answer = Promise.withResolvers<Printed>();
  waiting.set(id, answer);
  say({ id, question });
  return answer.promise;
}

port.on("message", (message: ToShell) => {
  if ("script" in message) void run(message).then(say);
  else if ("stop" in message) stop.abort(new Error("its time is up"));
  else {
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) answer?.reject(new Error(message.error));
    else {
      setTime(message.now);
      answer?.resolve(message.answer);
    }
  }
});

async function run({ script, env, now }: ShellOrder): Promise<FromShell> {
  stop = new AbortController();
  useClusterTime(script, now);
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
    const { stdout, stderr, exitCode } = await bash.exec(words, { signal: stop.signal, rawScript: true });
    return { end: { stdout, stderr, exitCode } };
  } catch (thrown) {
    if (!steps.exceeded) return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
    return { end: { stdout: "", stderr: `error: ${tooManySteps}\n`, exitCode: 1 } };
  } finally {
    waiting.clear();
  }
}
