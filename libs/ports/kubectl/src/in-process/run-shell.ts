import type { Cluster } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import { hasBackground, shellCommands } from "../shell-commands.ts";
import { wrongInJq } from "./jq-paths.ts";
import { kubectl } from "./kubectl.ts";
import { runInThread } from "./shell/run-in-thread.ts";

/** A script to run with a user's access to a cluster of this process. */
export interface ShellRun {
  readonly script: string;
  readonly cluster: Cluster;
  readonly namespace: string;
  /** When it must have ended, cluster time, ms. */
  readonly endsAt: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** How a shell script ended, and what it printed. */
export interface ShellEnd {
  /** `timed-out`: it was still running when its time of the cluster was up. */
  readonly how: "exited" | "timed-out";
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const nothingPrinted = { stdout: "", stderr: "", exitCode: 0 };

/**
 * Runs a script in a shell that has files in memory, text tools and kubectl, and nothing of this machine, in a thread of its own. What kubectl
 * in process cannot do is thrown (`not-simulated`), however the script takes its failure.
 */
export async function runShell(run: ShellRun): Promise<ShellEnd> {
  // This shell would wait for it; a real one ends what is left when the playbook ends.
  if (await hasBackground(run.script))
    throw terminal(
      "not-simulated",
      "the shell in process runs nothing in the background (&); run the script with a real shell",
      { said: "error: commands in the background (&) are not supported here" },
    );
  const jq = await wrongJqIn(run.script);
  if (jq !== undefined)
    throw terminal(
      "not-simulated",
      `the jq in process does not do ${jq} as jq does; name each path by itself, as in del(.a) | del(.b), and use map for what is in a list`,
      { said: `error: ${jq} is not supported by the jq here; name each path by itself: del(.a) | del(.b)` },
    );
  const { cluster, namespace, endsAt, signal } = run;
  const thrown: unknown[] = [];
  const timeLeft = async (): Promise<number> => Math.max(0, endsAt - (await cluster.clock.now()));
  const late = new AbortController();
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const checkTime = async (): Promise<void> => {
    if ((await timeLeft()) <= 0) late.abort(new Error("its time is up"));
    stop.throwIfAborted();
  };
  const runKubectl = async (words: readonly string[], stdin: string) => {
    try {
      await checkTime();
      const said = await kubectl(words, { cluster, namespace, timeLeft, stdin });
      await checkTime();
      return said;
    } catch (error) {
      // What was cut off because the script's own time is up is no failure of the cluster.
      if ((await timeLeft()) <= 0) late.abort(new Error("its time is up"));
      if (!late.signal.aborted) thrown.push(error);
      return {
        stdout: "",
        stderr: `${error instanceof Error ? error.message : String(error)}\n`,
        exitCode: 1,
      };
    }
  };
  const sleep = async (ms: number) => {
    await cluster.clock.sleep(Math.min(ms, await timeLeft()), stop);
    await checkTime();
    return nothingPrinted;
  };
  const env = { KUBECONFIG: "/root/.kube/config", HOME: "/root", ...run.env };
  const result = await runInThread(
    { script: run.script, env },
    {
      answer: (question) =>
        "sleepMs" in question ? sleep(question.sleepMs) : runKubectl(question.kubectl, question.stdin),
      now: () => cluster.clock.now(),
      signal: stop,
    },
  ).catch((error: unknown) => {
    if (!late.signal.aborted) throw error;
    return { stdout: "", stderr: "", exitCode: 143 };
  });
  signal?.throwIfAborted();
  if (thrown.length > 0) throw thrown[0];
  const { stdout, stderr, exitCode } = result;
  return { how: late.signal.aborted ? "timed-out" : "exited", exitCode, stdout, stderr };
}

/** Of the jq programs that are written in a script, what would be done otherwise than by jq. */
async function wrongJqIn(script: string): Promise<string | undefined> {
  const commands = (await shellCommands(script)) ?? [];
  for (const { words } of commands) {
    const at = words.findIndex((word) => /(^|\/)jq$/.test(word));
    for (const word of at < 0 ? [] : words.slice(at + 1)) {
      const wrong = wrongInJq(word);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}
