import type { ModuleContext, TaskResult } from "../module.types.ts";
import { OutOfTime } from "../out-of-time.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export async function debug({ args, variable }: ModuleContext): Promise<TaskResult> {
  const name = args["var"];
  if (name !== undefined) return { changed: false, [String(name)]: variable(String(name)) };
  return { changed: false, msg: (args["msg"] as string) ?? "Hello world!" };
}

export async function fail({ args }: ModuleContext): Promise<TaskResult> {
  return { changed: false, failed: true, msg: String(args["msg"] ?? "Failed as requested from task") };
}

export async function assert({ args, holds }: ModuleContext): Promise<TaskResult> {
  const failed = listOf(args["that"]).find((condition) => !holds(condition));
  if (failed === undefined)
    return { changed: false, msg: String(args["success_msg"] ?? "All assertions passed") };
  const msg = String(args["fail_msg"] ?? args["msg"] ?? "Assertion failed");
  return { changed: false, failed: true, assertion: failed, evaluated_to: false, msg };
}

/** Time of the cluster. */
export async function pause({ args, cluster, endsAt, signal }: ModuleContext): Promise<TaskResult> {
  const ms = (Number(args["seconds"] ?? 0) + Number(args["minutes"] ?? 0) * 60) * 1000;
  const left = endsAt - (await cluster.clock.now());
  await cluster.clock.sleep(Math.max(0, Math.min(ms, left)), signal);
  if (ms >= left) throw new OutOfTime();
  return { changed: false, delta: ms / 1000 };
}
