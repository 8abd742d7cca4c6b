import { boundPatterns } from "@microremed/core";
import { type ContainerRuntime, type Exec, type ExecRequest, toolboxOf } from "@microremed/sim-machine";
import { commands } from "./commands/commands.ts";
import { streamsArchive, tar } from "./commands/tar.ts";
import type { Place } from "./container/command.types.ts";
import { createContainerFiles } from "./container/container-files.ts";
import { environmentOf } from "./container/environment-of.ts";
import type { ShellDeps } from "./container/shell-deps.types.ts";
import { ExecEnded, type ExecSession, openSession } from "./exec-session.ts";
import { readStdin } from "./read-stdin.ts";
import { runScript } from "./run-script.ts";
import { runShell } from "./run-shell.ts";

/** An exec prints no more than this without its client's taking it, bytes; then it is ended. */
const maxOutputBytes = 16 << 20;
/** Programs that read stdin: a script with none of them is not held up by a client that types nothing. */
const readsInput =
  /\b(read|awk|base64|cat|cut|grep|gunzip|head|md5sum|sed|sha256sum|sort|tail|tar|tee|tr|wc|xargs)\b/;
const shells = new Set(["sh", "ash", "bash"]);

/** `kubectl exec` into the simulated containers: plain programs directly, shells through just-bash. */
export function createExec(deps: ShellDeps): Exec {
  boundPatterns();
  return async (request) => {
    const sandbox = deps.machine.byPod(request.namespace, request.pod);
    const container = sandbox?.containers.get(request.container);
    if (!sandbox || !container) return { error: `container not found ("${request.container}")` };
    const [program = "", ...args] = request.command;
    const toolbox = toolboxOf(container);
    const name = program.split("/").pop() ?? "";
    const missing = whyMissing(program, name, toolbox.programs, container);
    if (missing) return { error: ociError(missing) };
    using session = openSession(deps, sandbox, container, request);
    const place: Place = {
      deps,
      sandbox,
      container,
      flavour: toolbox.flavour,
      pid: session.pid,
      tty: request.tty,
      files: createContainerFiles(deps, sandbox, container, toolbox.programs, session.signal),
      programs: toolbox.programs,
      has: (tool) => toolbox.programs.includes(tool),
    };
    try {
      return { exitCode: await run(place, request, session, name, args) };
    } catch (thrown) {
      const reason: unknown = session.signal.aborted ? session.signal.reason : thrown;
      if (!(reason instanceof ExecEnded)) throw thrown;
      return { exitCode: reason.exitCode };
    }
  };
}

const ociError = (why: string): string =>
  `OCI runtime exec failed: exec failed: unable to start container process: exec: ${why}: unknown`;

/** Where images have their programs. */
const places = /^\/(usr\/(local\/)?)?s?bin\/|^\/opt\/kafka\/bin\/kafka-/;

/** Why the runtime cannot start a program; undefined when it can. */
function whyMissing(
  program: string,
  name: string,
  programs: readonly string[],
  container: ContainerRuntime,
): string | undefined {
  const own = container.command[0];
  if (programs.includes(name) && (!program.includes("/") || places.test(program))) return undefined;
  if (own !== undefined && (program === own || (name === own.split("/").pop() && !program.includes("/"))))
    return undefined;
  return program.includes("/")
    ? `${JSON.stringify(program)}: stat ${program}: no such file or directory`
    : `${JSON.stringify(program)}: executable file not found in $PATH`;
}

function run(
  place: Place,
  request: ExecRequest,
  session: ExecSession,
  name: string,
  args: readonly string[],
): Promise<number> {
  const { out, err, drained } = boundedOutput(request, session);
  const env = environmentOf(place.sandbox, place.container);
  const stdin = (unlessIdle: boolean): Promise<Uint8Array> => {
    if (unlessIdle && request.isMain && !readsInput.test(args.join(" ")))
      return Promise.resolve(new Uint8Array());
    return readStdin(request.stdin, session.signal, unlessIdle && !request.isMain);
  };
  const { signal } = session;
  if (shells.has(name)) {
    const shell = name === "bash" ? "bash" : "sh";
    return runShell({
      place,
      args,
      env,
      stdin,
      input: request.stdin,
      tty: request.tty,
      shell,
      out,
      err,
      signal,
    });
  }
  const command = name === "tar" && streamsArchive(args) ? tar : commands.get(name);
  if (command && !(name === "env" && args.length > 0))
    return Promise.resolve(
      command({
        ...place,
        name,
        args,
        variable: (one) => (Object.hasOwn(env, one) ? env[one] : undefined),
        variables: () => env,
        cwd: "/",
        stdin: () => stdin(false),
        input: request.stdin,
        out,
        err,
        drained,
        signal,
      }),
    );
  const given = name === "tar" ? withoutLeadingSlash(args) : args;
  return runProgram(place, name, given, { out, err, env, stdin, signal });
}

/** `tar czf - /a/b` puts `a/b` into the archive, as every tar does. */
function withoutLeadingSlash(args: readonly string[]): readonly string[] {
  const [mode = "", ...rest] = args;
  const paths = rest.filter((arg) => arg.startsWith("/"));
  if (!/^-?[a-z]*c/.test(mode) || rest.includes("-C") || paths.length === 0) return args;
  const options = rest.filter((arg) => !arg.startsWith("/"));
  return [mode, ...options, "-C", "/", ...paths.map((path) => path.replace(/^\/+/, ""))];
}

/** A program of the image that only just-bash knows; what it does not know cannot be simulated. */
async function runProgram(
  place: Place,
  name: string,
  args: readonly string[],
  io: {
    readonly out: (chunk: string | Uint8Array) => void;
    readonly err: (text: string) => void;
    readonly env: Readonly<Record<string, string>>;
    readonly stdin: (unlessIdle: boolean) => Promise<Uint8Array>;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { env, signal } = io;
  const stdin = await io.stdin(true);
  const result = await runScript(place, { script: name, args, stdin, env, cwd: "/", shell: "sh", signal });
  if (result.exitCode === 127) {
    io.err(`${name}: this program is in the image, but the embedded cluster does not simulate it\n`);
    return 126;
  }
  io.out(result.stdout);
  io.err(result.stderr);
  return result.exitCode;
}

function boundedOutput({ stdout, stderr, drained: takenUp }: ExecRequest, session: ExecSession) {
  let left = maxOutputBytes;
  const bounded = (write: (chunk: Uint8Array | string) => void) => (chunk: Uint8Array | string) => {
    session.signal.throwIfAborted();
    if (chunk.length === 0) return;
    if (chunk.length <= left) {
      left -= chunk.length;
      write(chunk);
      return;
    }
    write(chunk.slice(0, left));
    left = 0;
    stderr(`\noutput limit of ${maxOutputBytes} bytes reached, the command was ended\n`);
    session.end(new ExecEnded(137, "output limit"));
    session.signal.throwIfAborted();
  };
  const drained = async (): Promise<void> => {
    await takenUp?.();
    left = maxOutputBytes;
  };
  return { out: bounded(stdout), err: bounded(stderr), drained };
}
