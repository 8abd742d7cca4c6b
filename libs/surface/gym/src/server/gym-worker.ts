import { parentPort, workerData } from "node:worker_threads";
import type { ErrorCode } from "@microremed/contracts";
import { AppError, silentLogger, terminal } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import { createGym } from "../create-gym.ts";
import { openPlaybookSandbox, startRealPlaybooks } from "../episode/real-playbooks.ts";
import type { WorkerAnswer, WorkerCall, WorkerOrder } from "./worker-messages.types.ts";

/** A thread with a gym: each message is a call of it, and is answered with what came of it. */
const { catalogues, playbooks: how, ...options } = workerData as WorkerOrder;
const playbooks =
  how === "ansible" ? startRealPlaybooks(await openPlaybookSandbox(silentLogger), silentLogger) : undefined;
const catalogue = await loadCatalogue({ dirs: catalogues });
const gym = createGym({ ...options, catalogue, ...(playbooks && { playbooks }) });
const underWay = new Map<number, AbortController>();

async function call({ id, method, given }: Extract<WorkerCall, { method: string }>): Promise<WorkerAnswer> {
  const stop = new AbortController();
  underWay.set(id, stop);
  try {
    const run = gym[method] as (...args: unknown[]) => unknown;
    return { id, value: await run(...given, stop.signal) };
  } catch (thrown) {
    if (stop.signal.aborted) {
      const why =
        "it took longer than its deadline; the episode is as it was before: try it again, or with a longer deadline";
      return { id, error: { code: "deadline-exceeded", message: why } };
    }
    const { code, message } = AppError.from(thrown);
    return { id, error: { code: code as ErrorCode, message } };
  } finally {
    underWay.delete(id);
  }
}

parentPort?.on("message", (message: WorkerCall) => {
  if ("abort" in message)
    underWay.get(message.id)?.abort(terminal("deadline-exceeded", "the deadline is over"));
  else void call(message).then((answer) => parentPort?.postMessage(answer));
});
