import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, cp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sandboxHome } from "@microremed/sandbox";
import { makeOwnedDirectory } from "@microremed/servers";
import { ansibleConfig } from "../ansible-files.ts";

/** One Python process that has Ansible imported. */
export interface WarmProcess {
  readonly pid: number;
  /** Path of the socket on which it takes runs. */
  readonly address: string;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** A connection for one run; undefined when it takes none. */
  connect(): Promise<Socket | undefined>;
  /** Makes it take no more runs. Those that are under way go on. */
  stop(): Promise<void>;
}

export interface WarmProcessOptions {
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** The filter of every run's system calls. */
  readonly systemCalls: Uint8Array;
  /** Default: Debian's, which is the one that ansible-playbook names in its first line. */
  readonly python?: string;
  /** Ends it, also while it starts. */
  readonly signal: AbortSignal;
  /** Called with the reason why a run was left to the plain command, line by line. */
  readonly onRefusal: (why: string) => void;
}

const sources = join(import.meta.dirname, "../../../python");
const READY_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 1000;
const STOP_WITHIN_MS = 2000;

/** Starts a process and waits until it serves. Throws an Error with what it said when it does not. */
export async function startWarmProcess(options: WarmProcessOptions): Promise<WarmProcess> {
  const { user, python = "/usr/bin/python3", onRefusal, signal } = options;
  const dir = await makeOwnedDirectory("warm");
  try {
    // A harness that runs as root gives root up for this process, which then cannot read what is in root's home.
    await cp(sources, dir, { recursive: true, filter: (path) => !path.endsWith("__pycache__") });
    await writeFile(join(dir, "ansible.cfg"), ansibleConfig(dir));
    await writeFile(join(dir, "sandbox.cfg"), ansibleConfig(sandboxHome));
    await writeFile(join(dir, "system-calls.bpf"), options.systemCalls);
    if (user) await chown(dir, user.uid, user.gid);
    const child = spawn(python, ["-B", join(dir, "warm_runner.py"), dir], {
      env: {
        PATH: "/usr/bin:/bin",
        HOME: sandboxHome,
        LANG: "C.UTF-8",
        TMPDIR: dir,
        ANSIBLE_CONFIG: join(dir, "ansible.cfg"),
      },
      cwd: dir,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      signal,
      killSignal: "SIGKILL",
      ...user,
    });
    const ended = endOf(child).finally(() => rm(dir, { recursive: true, force: true }));
    await readiness(child, ended);
    createInterface(child.stderr).on("line", onRefusal);
    const stop = async (): Promise<void> => {
      child.stdin.destroy();
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended.finally(() => clearTimeout(late));
    };
    const address = join(dir, "runner");
    return { pid: child.pid ?? 0, address, ended, connect: () => connectTo(address), stop };
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  await once(child, "exit").catch(() => {});
}

async function readiness(child: ChildProcess, ended: Promise<void>): Promise<void> {
  let said = "";
  const listen = (chunk: Buffer): void => {
    said = `${said}${chunk.toString("utf8")}`.slice(-2000);
  };
  child.stderr?.on("data", listen);
  const deadline = AbortSignal.timeout(READY_WITHIN_MS);
  const ready = child.stdout ? once(child.stdout, "data", { signal: deadline }) : Promise.reject();
  const first = await Promise.race([
    ready.then(([chunk]) => String(chunk)).catch(() => "too late"),
    ended.then(() => "ended"),
  ]);
  child.stderr?.off("data", listen);
  child.stdout?.resume();
  if (first.startsWith("ready")) return;
  child.kill("SIGKILL");
  throw new Error(`it did not get ready (${first.trim()}): ${said.trim()}`);
}

/** A connection for one run to the warm process at an address; undefined when it takes none. */
export function connectTo(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const giveUp = (): void => {
    socket.destroy();
    resolve(undefined);
  };
  const late = setTimeout(giveUp, CONNECT_WITHIN_MS);
  socket.once("error", giveUp);
  socket.once("connect", () => resolve(socket));
  return promise.finally(() => clearTimeout(late));
}
