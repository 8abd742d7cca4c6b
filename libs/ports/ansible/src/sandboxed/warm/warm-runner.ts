import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@microremed/core";
import type { Sandbox, Starter } from "@microremed/sandbox";
import { throughWarmRunner } from "./warm-client.ts";
import { connectTo, startWarmProcess, type WarmProcess, type WarmProcessOptions } from "./warm-process.ts";

/** Saves playbooks the start of Ansible, by far the greatest part of their time. Runs without it are the same, slower. */
export interface WarmRunner extends Starter, AsyncDisposable {
  /** Resolves when the first process serves (true), or when there will be none (false). */
  readonly ready: Promise<boolean>;
  /** Process id, undefined while there is none. */
  readonly pid: number | undefined;
}

export interface WarmRunnerOptions extends Partial<Pick<WarmProcessOptions, "python">> {
  readonly log: Logger;
  readonly sandbox: Sandbox;
  /** Runs after which a new process takes over, so that nothing can pile up in one. Default 1000. */
  readonly recycleAfter?: number;
  /** Where the address of the process is written, for `useWarmRunner` in other processes. Default: nowhere. */
  readonly addressFile?: string | undefined;
}

const RECYCLE_AFTER = 1000;
/** Ends in a row, without a run in between, after which it is left at the plain command. */
const MAX_FAILURES = 4;
const FIRST_PAUSE_MS = 250;
const MAX_REASONS = 20;

/** Keeps one warm process alive: a process that ends is replaced, and so is one that has served long. */
export function startWarmRunner(options: WarmRunnerOptions): WarmRunner {
  const { log, sandbox, recycleAfter = RECYCLE_AFTER } = options;
  const reasons = new Set<string>();
  const onRefusal = (why: string): void => {
    if (reasons.has(why) || reasons.size >= MAX_REASONS) return;
    reasons.add(why);
    log.warn({ why }, "a playbook was left to the plain command");
  };
  let current: WarmProcess | undefined;
  let runs = 0;
  let failures = 0;
  const disposed = new AbortController();
  let renewing: Promise<boolean> = Promise.resolve(false);

  /** Starts a process, puts it in the place of the current one, and retires that. */
  const renew = async (): Promise<boolean> => {
    // As root it would import modules from root's home, which no run has.
    if (sandbox.kind !== "bubblewrap" || (process.getuid?.() === 0 && !sandbox.user)) return false;
    // At the path of a process that has ended, another program may listen by now.
    if (options.addressFile !== undefined && !current) await rm(options.addressFile, { force: true });
    while (!disposed.signal.aborted && failures < MAX_FAILURES) {
      try {
        const { user, systemCalls } = sandbox;
        const next = await startWarmProcess({
          user,
          systemCalls,
          onRefusal,
          signal: disposed.signal,
          ...(options.python !== undefined && { python: options.python }),
        });
        if (options.addressFile !== undefined) await announce(next, options.addressFile);
        const former = current;
        current = next;
        runs = 0;
        void next.ended.then(() => replace(next));
        await former?.stop();
        return true;
      } catch (error) {
        if (disposed.signal.aborted) return false;
        failures += 1;
        if (failures === MAX_FAILURES)
          log.warn({ err: error }, "Ansible is not kept warm; playbooks run, but slower");
        else await sleep(FIRST_PAUSE_MS * 2 ** failures);
      }
    }
    return false;
  };
  const replace = (ended: WarmProcess): void => {
    if (disposed.signal.aborted || current !== ended) return;
    current = undefined;
    failures += 1;
    log.warn({ pid: ended.pid }, "the warm Ansible process ended; another one is started");
    renewing = renew();
  };
  const first = renew();
  renewing = first;

  return {
    through: throughWarmRunner,
    ready: first,
    get pid() {
      return current?.pid;
    },
    async connect() {
      const socket = await current?.connect();
      if (!socket) return undefined;
      failures = 0;
      runs += 1;
      if (runs === recycleAfter) renewing = renew();
      return socket;
    },
    async [Symbol.asyncDispose]() {
      disposed.abort();
      const last = current;
      current = undefined;
      await Promise.all([last?.ended, renewing]);
    },
  };
}

/** The warm process that another process of the machine keeps, by its `addressFile`. While there is none, runs are plain. */
export function useWarmRunner(addressFile: string): Starter {
  return {
    through: throughWarmRunner,
    async connect() {
      const address = await readFile(addressFile, "utf8").catch(() => undefined);
      return address === undefined ? undefined : connectTo(address);
    },
  };
}

/** Replaced as a whole: others read it at any time. */
async function announce({ address }: WarmProcess, file: string): Promise<void> {
  await writeFile(`${file}.new`, address, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
