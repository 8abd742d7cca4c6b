import { shellWord } from "@microremed/core";
import { runShell } from "@microremed/kubectl/in-process";
import type { ModuleContext, TaskResult } from "../module.types.ts";
import { OutOfTime } from "../out-of-time.ts";
import { notInterpreted } from "../template-error.ts";

const known = new Set(["_raw_params", "cmd", "argv", "executable", "chdir", "warn"]);

/** `shell` and `command`: a shell in memory whose only program of ours is kubectl. */
export async function shell(context: ModuleContext): Promise<TaskResult> {
  const { args, environment } = context;
  const other = Object.keys(args).find((name) => !known.has(name));
  if (other !== undefined) throw notInterpreted(`the option ${other} of shell`);
  const argv = args["argv"];
  const script = Array.isArray(argv)
    ? argv.map((word) => shellWord(String(word))).join(" ")
    : String(args["_raw_params"] ?? args["cmd"] ?? "");
  const { cluster, namespace, endsAt, signal } = context;
  const end = await runShell({ script, cluster, namespace, endsAt, signal, env: environment });
  if (end.how === "timed-out") throw new OutOfTime();
  const stdout = end.stdout.replace(/\n+$/, "");
  const stderr = end.stderr.replace(/\n+$/, "");
  return {
    changed: true,
    cmd: script,
    rc: end.exitCode,
    stdout,
    stdout_lines: stdout === "" ? [] : stdout.split("\n"),
    stderr,
    stderr_lines: stderr === "" ? [] : stderr.split("\n"),
    ...(end.exitCode !== 0 && { failed: true, msg: "non-zero return code" }),
  };
}
