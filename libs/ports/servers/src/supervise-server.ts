import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@microremed/core";
import type { RunningServer } from "./server-process.ts";

/** A server that is started again, with the same port and files, whenever it dies. */
export interface SupervisedServer extends RunningServer {
  /** How often it died and was started again. */
  readonly restarts: number;
}

/** Between two starts that fail. */
const pauseMs = 200;

/** Keeps a server running: one that dies is started again on its port and its files. */
export async function superviseServer(
  name: string,
  start: (port: number | undefined) => Promise<RunningServer>,
  log: Logger,
): Promise<SupervisedServer> {
  let current = await start(undefined);
  const { url, port, dir } = current;
  let restarts = 0;
  const stopping = new AbortController();

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await current.ended;
      if (stopping.signal.aborted) return;
      log.warn({ server: name, restarts: restarts + 1 }, "a server died and is started again");
      try {
        current = await start(port);
        restarts++;
      } catch (error) {
        log.error({ server: name, error: String(error) }, "a server could not be started again");
        await delay(pauseMs);
      }
      if (stopping.signal.aborted) await current[Symbol.asyncDispose]();
    }
  };
  const watching = watch();
  return {
    url,
    port,
    dir,
    get pid() {
      return current.pid;
    },
    get ended() {
      return current.ended;
    },
    get restarts() {
      return restarts;
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await current[Symbol.asyncDispose]();
      await watching;
    },
  };
}
