import { normalized } from "@microremed/sim-machine";
import type { Command, CommandContext } from "../container/command.types.ts";
import { FileError, fileWords } from "../container/file-error.ts";
import {
  BrokenArchive,
  blockBytes,
  headerOf,
  paddingOf,
  readArchive,
  type TarMember,
  type TarSource,
} from "../container/tar-format.ts";

/** What a run of tar does, as far as it is done here: an archive from stdin, or to stdout. */
interface Run {
  readonly mode: "c" | "x";
  /** Where names begin. */
  readonly base: string;
  readonly verbose: boolean;
  readonly paths: readonly string[];
}

/** Printed at once; then the client has to take it, bytes. */
const pieceBytes = 256 << 10;
/** GNU's tar fills its archives up to whole records. */
const recordBytes = 20 * blockBytes;
/**
 * How long the runtime takes to report that a program has failed, ms. Clients that read an archive to its end leave
 * before, and know of no failure: `kubectl cp` of what is not there succeeds.
 */
const reportMs = 100;

/** Undefined: a matter for the shell's own tar, which knows more options and needs all of an archive at once. */
function readArgs(args: readonly string[], cwd: string): Run | undefined {
  const [first = "", ...others] = args;
  const bundled = first.startsWith("-") ? [...args] : [`-${first}`, ...others];
  const paths: string[] = [];
  let [mode, base, file, verbose]: [Run["mode"] | undefined, string, string, boolean] = [
    undefined,
    cwd,
    "",
    false,
  ];
  for (let at = 0; at < bundled.length; at += 1) {
    const arg = bundled[at] ?? "";
    if (arg === "--no-same-permissions" || arg === "--no-same-owner") continue;
    if (arg.startsWith("--")) return undefined;
    if (!arg.startsWith("-") || arg === "-") {
      paths.push(arg);
      continue;
    }
    for (let letter = 1; letter < arg.length; letter += 1) {
      const option = arg[letter] ?? "";
      const isBundle = at === 0 && !first.startsWith("-");
      const value = (): string => {
        const rest = isBundle ? "" : arg.slice(letter + 1);
        if (rest !== "") letter = arg.length;
        return rest || (bundled.splice(at + 1, 1)[0] ?? "");
      };
      if (option === "c" || option === "x") mode = option;
      else if (option === "f") file = value();
      else if (option === "C") base = normalized(value(), base);
      else if (option === "v") verbose = true;
      else if (!"mpo".includes(option)) return undefined;
    }
  }
  if (!mode || file !== "-" || (mode === "x" && paths.length > 0)) return undefined;
  return { mode, base, verbose, paths };
}

/** Whether `tar` can do what these arguments ask for: it handles one archive as it comes, however large. */
export const streamsArchive = (args: readonly string[]): boolean => readArgs(args, "/") !== undefined;

/** `tar c` to stdout and `tar x` from stdin, as `kubectl cp` and others use it. */
export const tar: Command = async (context) => {
  const run = readArgs(context.args, context.cwd);
  if (!run) {
    context.err("tar: these options are not simulated\n");
    return 126;
  }
  const code = await (run.mode === "c" ? create(context, run) : extract(context, run));
  if (code !== 0) await context.deps.loop.sleep(reportMs, context.signal);
  return code;
};

async function create(context: CommandContext, { base, verbose, paths }: Run): Promise<number> {
  const { flavour, err } = context;
  const write = createWriter(context);
  let [failed, stripped] = [false, false];
  const strip = (given: string): string => {
    if (given.startsWith("/") && !stripped) {
      stripped = true;
      err(
        `tar: ${flavour === "busybox" ? "removing leading '/'" : "Removing leading `/'"} from member names\n`,
      );
    }
    return given.replace(/^\/+/, "").replace(/\/+$/, "") || ".";
  };
  async function add(given: string): Promise<void> {
    const path = normalized(given, base);
    try {
      // busybox names a file only when it is there.
      if (flavour === "busybox") await context.files.lstat(path);
      await addMember(context, write, { path, name: strip(given), verbose });
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      failed = true;
      const words = fileWords(thrown, flavour);
      err(flavour === "busybox" ? `tar: ${given}: ${words}\n` : `tar: ${given}: Cannot stat: ${words}\n`);
    }
  }
  for (const path of paths) await add(path);
  await write.end();
  if (!failed) return 0;
  err(
    flavour === "busybox"
      ? "tar: error exit delayed from previous errors\n"
      : "tar: Exiting with failure status due to previous errors\n",
  );
  return flavour === "busybox" ? 1 : 2;
}

async function addMember(
  context: CommandContext,
  write: Writer,
  { path, name, verbose }: { readonly path: string; readonly name: string; readonly verbose: boolean },
): Promise<void> {
  const { files } = context;
  const { isDirectory, isSymbolicLink, mode, mtime } = await files.lstat(path);
  const type = isSymbolicLink ? "symlink" : isDirectory ? "directory" : "file";
  const content = type === "file" ? await files.readFileBuffer(path) : new Uint8Array();
  const target = isSymbolicLink ? await files.readlink(path) : "";
  const shown = isDirectory ? `${name}/` : name;
  if (verbose) context.err(`${shown}\n`);
  await write.add(headerOf({ name: shown, type, size: content.byteLength, target, mode, mtime }));
  await write.add(content);
  await write.add(new Uint8Array(paddingOf(content.byteLength)));
  if (!isDirectory) return;
  for (const child of await files.readdir(path))
    await addMember(context, write, { path: normalized(child, path), name: `${name}/${child}`, verbose });
}

interface Writer {
  add(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Prints piece by piece, as fast as the client takes it. */
function createWriter({ out, drained }: CommandContext): Writer {
  let total = 0;
  async function add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      out(piece);
      total += piece.byteLength;
      await drained?.();
    }
  }
  return {
    add,
    end: () =>
      add(
        new Uint8Array(
          2 * blockBytes + ((recordBytes - ((total + 2 * blockBytes) % recordBytes)) % recordBytes),
        ),
      ),
  };
}

async function extract(context: CommandContext, { base, verbose }: Run): Promise<number> {
  const { flavour, err, out } = context;
  const source = readArchive(
    context.input ??
      (async function* () {
        yield await context.stdin();
      })(),
  );
  let code = 0;
  try {
    for (let member = await source.next(); member; member = await source.next()) {
      if (verbose) out(`${member.name}\n`);
      const path = normalized(member.name.replace(/^\/+/, ""), base);
      try {
        await put(context, path, member, await contentFor(context, path, source, member), base);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        const words = fileWords(thrown, flavour);
        const isFull = thrown.code === "ENOSPC";
        // busybox gives up at the first failure.
        if (flavour === "busybox") {
          err(isFull ? `tar: write error: ${words}\n` : `tar: can't open '${member.name}': ${words}\n`);
          return 1;
        }
        err(`tar: ${member.name}: Cannot ${isFull ? "write" : "open"}: ${words}\n`);
        code = 2;
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof BrokenArchive)) throw thrown;
    err(
      flavour === "busybox"
        ? `tar: ${thrown.message}\n`
        : `tar: ${thrown.message === "short read" ? "Unexpected EOF in archive" : "This does not look like a tar archive"}\ntar: Error is not recoverable: exiting now\n`,
    );
    return flavour === "busybox" ? 1 : 2;
  }
  if (code !== 0) err("tar: Exiting with failure status due to previous errors\n");
  return code;
}

/** What a member holds. What there is no room for is not read: its header may say any size. */
async function contentFor(
  { files }: CommandContext,
  path: string,
  source: TarSource,
  { size }: TarMember,
): Promise<Uint8Array> {
  if (files.fits(path, size)) return await source.content(size);
  await source.skip(size);
  throw new FileError("ENOSPC", "write", path);
}

async function put(
  { files }: CommandContext,
  path: string,
  { type, target }: TarMember,
  content: Uint8Array,
  base: string,
): Promise<void> {
  if (type === "directory") return files.mkdir(path, { recursive: true });
  await files.mkdir(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
  if (type === "symlink") {
    await files.rm(path, { force: true });
    return files.symlink(target, path);
  }
  const bytes =
    type === "link" ? await files.readFileBuffer(normalized(target.replace(/^\/+/, ""), base)) : content;
  await files.writeFile(path, bytes);
}
