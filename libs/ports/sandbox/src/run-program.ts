import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { terminal } from "@microremed/core";
import { makeOwnedDirectory, whenOrphaned } from "@microremed/servers";
import { type Relay, relayFrom } from "./api-relay.ts";
import { assertMountable } from "./assert-mountable.ts";
import { runInBubblewrap } from "./bubblewrap.ts";
import { toolPath } from "./open-sandbox.ts";
import { limited } from "./run-confined.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";
import type { BubblewrapSandbox, Sandbox } from "./sandbox.types.ts";
import { sandboxHome } from "./sandbox-home.ts";

/** Where a program runs: known only when it is run. */
export interface ProgramPlace {
  /** Its home and working directory. */
  readonly home: string;
  /** `http://127.0.0.1:<port>/<secret>`: the one address that it can reach, or, without a sandbox, that is meant for it. */
  readonly url: string;
}

/** What a program finds where it runs. */
export interface ProgramSurroundings {
  /** Contents by name in its home. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of `files` that can be run. */
  readonly programs: readonly string[];
  /** Environment variables beside PATH, HOME, TMPDIR, USER and LANG. Its PATH begins with `bin` of its home. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program of a stranger, with one way out. */
export interface ConfinedProgram {
  readonly argv: readonly [string, ...string[]];
  readonly surroundings: (place: ProgramPlace) => ProgramSurroundings;
  /** Folders and files of the machine that it can read, at their own paths. */
  readonly mounts: readonly string[];
  /** Folders below these that are empty for it; without a sandbox they are not. Default: none. */
  readonly hidden?: readonly string[];
  /** Bytes that all its processes and files may take together; without a sandbox nothing counts them. */
  readonly memoryBytes: number;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  /** Ends it, and its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Ends it as `stopped`, with what it has printed. */
  readonly stop?: AbortSignal;
  /** Takes the connections that it makes to the address of its place; every request must begin with the path of that. */
  readonly door: (connection: Duplex) => void;
  readonly sandbox: Sandbox;
}

/** On the loopback of a network of the sandbox's own: nothing else is there. */
const insidePort = 8080;
const local = "127.0.0.1";

/**
 * Runs a program until it ends, its time is over, or it takes more than it may: then all its processes end, and nothing of it is left.
 * Throws `missing-tool` for a sandbox of pods: they run images of the range's own.
 */
export async function runProgram(program: ConfinedProgram): Promise<ProcessEnd> {
  const { sandbox } = program;
  switch (sandbox.kind) {
    case "bubblewrap":
      return inBubblewrap(program, sandbox);
    case "none":
      return inProcessGroup(program);
    case "pods":
      throw terminal(
        "missing-tool",
        "programs of your own run in bubblewrap on this machine, not in runner pods",
      );
    default:
      return sandbox satisfies never;
  }
}

async function inBubblewrap(program: ConfinedProgram, sandbox: BubblewrapSandbox): Promise<ProcessEnd> {
  const { argv, memoryBytes, timeoutMs, signal, stop } = program;
  const { mounts, shown } = await shownOf(program.mounts);
  const place = { home: sandboxHome, url: `http://${local}:${insidePort}/${randomUUID()}` };
  const { files, programs, env } = program.surroundings(place);
  return await runInBubblewrap(sandbox, {
    ...{ files, programs, mounts, shown, memoryBytes, timeoutMs, signal, stop },
    hidden: program.hidden ?? [],
    argv: ["/bin/bash", "-c", limited(true, Math.floor(memoryBytes / 1024)), "bash", ...argv],
    env: environment(program, place, "/tmp", env),
    route: { insideName: local, insidePort, kubeconfig: "", open: () => doorway(program) },
  });
}

/** A file of more bytes is mounted, as a folder is. */
const mostShownBytes = 16 * 2 ** 20;

/**
 * Files go in by their contents. A harness that runs as root gives root up for a run, and a user without rights may not even find
 * a file that the harness may read.
 */
async function shownOf(
  paths: readonly string[],
): Promise<{ readonly mounts: readonly string[]; readonly shown: Readonly<Record<string, Uint8Array>> }> {
  const found = await Promise.all(
    paths.map(async (path) => {
      await assertMountable(path);
      return { path, content: await smallFile(path) };
    }),
  );
  return {
    mounts: found.flatMap(({ path, content }) => (content === undefined ? [path] : [])),
    shown: Object.fromEntries(
      found.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const])),
    ),
  };
}

/** Undefined: it is a folder, or of more bytes. */
async function smallFile(path: string): Promise<Uint8Array | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  // Does not wait for the other end of a named pipe that has taken the file's place meanwhile.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  return found.isFile() && found.size <= mostShownBytes ? await file.readFile() : undefined;
}

async function inProcessGroup(program: ConfinedProgram): Promise<ProcessEnd> {
  const { argv, timeoutMs, signal, stop } = program;
  const home = await makeOwnedDirectory("program");
  const server = createServer();
  using _door = relayFrom(server, doorway(program));
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen({ host: local, port: 0 }, resolve);
    await promise;
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const place = { home, url: `http://${local}:${port}/${randomUUID()}` };
    const { files, programs, env } = program.surroundings(place);
    const tmp = join(home, "tmp");
    await mkdir(tmp);
    for (const [name, content] of Object.entries(files)) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, content, { mode: programs.includes(name) ? 0o700 : 0o600 });
    }
    return await runProcess({
      command: "/bin/bash",
      args: ["-c", limited(false), "program", ...argv],
      env: environment(program, place, tmp, env),
      ...{ cwd: home, inputs: [], user: undefined, timeoutMs, signal, stop },
      guard: (pid) => whenOrphaned('kill -9 "-$1"; sleep 1; rm -rf "$2"', [String(pid), home]),
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Hands connections to the door; all of them end with the program. */
function doorway({ door }: ConfinedProgram): Relay {
  const open = new Set<Duplex>();
  return {
    accept(connection) {
      open.add(connection);
      connection.on("error", () => {}).once("close", () => open.delete(connection));
      door(connection);
    },
    [Symbol.dispose]() {
      for (const connection of open) connection.destroy();
    },
  };
}

function environment(
  { sandbox }: ConfinedProgram,
  { home }: ProgramPlace,
  tmp: string,
  { PATH: more, ...env }: Readonly<Record<string, string>>,
): Record<string, string> {
  const path = [join(home, "bin"), ...(more === undefined ? [] : [more]), toolPath(sandbox.tools)].join(":");
  return { HOME: home, TMPDIR: tmp, USER: "root", LOGNAME: "root", LANG: "C.UTF-8", ...env, PATH: path };
}
