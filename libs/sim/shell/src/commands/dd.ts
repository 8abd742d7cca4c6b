import { longFile, type Process } from "@microremed/sim-machine";
import { busyboxBytes, iecBytes, parseDdSize, siBytes } from "../container/byte-text.ts";
import type { CommandContext } from "../container/command.types.ts";
import { errnoName, FileError, fileWords } from "../container/file-error.ts";

/** What an unfaulted disk of a node writes and reads, bytes per second. */
const diskRate = 150e6;
/** What copying in memory does, bytes per second. */
const memoryRate = 4e9;
/** A call to the disk costs at least this, ms. */
const callMs = 0.05;
/** Real data is kept up to this size; of a longer file the beginning is kept. */
const maxKeptBytes = 64 << 20;
const maxBlocks = 10_000_000;

interface Request {
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly blockSize: number;
  readonly count: number;
  readonly seek: number;
  readonly keeps: boolean;
  readonly syncs: boolean;
  readonly status: string;
}

/** `dd`: copies block by block in cluster time; every block meets the delays and errors of a faulted mount. */
export async function dd(context: CommandContext): Promise<number> {
  const request = parse(context);
  if (typeof request === "string") {
    context.err(request);
    return 1;
  }
  const clock = createStopwatch(context);
  const source = await open(context, request);
  if (typeof source === "number") return source;
  const freeBuffer = takeBuffer(context, request.blockSize);
  const copied = await copy(context, request, source, clock).finally(freeBuffer);
  // What was written before a failure stays.
  const finished = await finish(context, request, copied, clock);
  const failure = copied.failure ?? finished;
  if (failure) context.err(`dd: error writing '${request.output}': ${failure}\n`);
  if (request.status !== "none") context.err(report(context, request, copied, clock.elapsedMs() / 1000));
  return failure ? 1 : 0;
}

/** Smaller buffers don't matter to anybody's limit. */
const smallBuffer = 1 << 20;

/** A block is held in memory, which counts against the container's limit. Returns the way to give it back. */
function takeBuffer({ deps, container }: CommandContext, bytes: number): () => void {
  if (bytes <= smallBuffer) return () => {};
  const { processes } = container;
  const buffer = deps.loop.keep<Process>({
    pid: Math.max(1, ...processes.map(({ pid }) => pid)) + 1,
    command: `dd bs=${bytes}`,
    kind: "exec",
    user: "root",
    startedAt: deps.loop.now(),
    cpuDemand: 0,
    memoryBytes: bytes,
  });
  processes.push(buffer);
  return () => {
    const at = processes.indexOf(buffer);
    if (at >= 0) processes.splice(at, 1);
  };
}

interface Stopwatch {
  wait(ms: number): Promise<void>;
  elapsedMs(): number;
}

/** Adds up what was waited for: the clock itself overshoots a little whenever time runs fast. */
function createStopwatch({ deps, files, signal }: CommandContext): Stopwatch {
  let own = 0;
  return {
    wait: (ms) => {
      own += ms;
      return deps.loop.sleep(ms, signal);
    },
    elapsedMs: () => own + files.waitedMs(),
  };
}

function parse({ args, flavour }: CommandContext): Request | string {
  const values = new Map(args.map((arg) => [arg.split("=")[0] ?? "", arg.replace(/^[^=]*=?/, "")] as const));
  const stray = args.find((arg) => !/^(if|of|bs|ibs|obs|count|seek|skip|conv|oflag|iflag|status)=/.test(arg));
  if (stray !== undefined)
    return flavour === "gnu"
      ? `dd: unrecognized operand '${stray}'\nTry 'dd --help' for more information.\n`
      : "BusyBox v1.35.0 multi-call binary.\n\nUsage: dd [if=FILE] [of=FILE] [bs=N] [count=N] [seek=N]\n";
  const bad = ["bs", "count", "seek"].find(
    (name) => values.has(name) && parseDdSize(values.get(name) ?? "") === undefined,
  );
  if (bad) return `dd: invalid number: '${values.get(bad)}'\n`;
  const size = (name: string, fallback: number): number => parseDdSize(values.get(name) ?? "") ?? fallback;
  const flags = `${values.get("conv") ?? ""},${values.get("oflag") ?? ""}`.split(",");
  return {
    input: values.get("if"),
    output: values.get("of"),
    blockSize: size("bs", size("obs", 512)),
    count: size("count", maxBlocks),
    seek: size("seek", 0),
    keeps: flags.includes("notrunc"),
    syncs: flags.includes("fsync") || flags.includes("fdatasync"),
    status: values.get("status") ?? "",
  };
}

/** The input: its bytes, or `endless` for a device; an exit code when a file cannot be opened. */
async function open(context: CommandContext, request: Request): Promise<Uint8Array | "endless" | number> {
  const { files, flavour, cwd } = context;
  const refuse = (path: string, why: string): number => {
    context.err(
      flavour === "gnu" ? `dd: failed to open '${path}': ${why}\n` : `dd: can't open '${path}': ${why}\n`,
    );
    return 1;
  };
  const { input, output } = request;
  let source: Uint8Array | "endless";
  if (input === undefined) source = await context.stdin();
  else if (/^\/dev\/(zero|urandom|random)$/.test(input)) source = "endless";
  else {
    try {
      source = await files.readFileBuffer(files.resolvePath(cwd, input));
    } catch (thrown) {
      context.signal.throwIfAborted();
      return refuse(input, fileWords(thrown, flavour));
    }
  }
  if (output === undefined || isSink(output)) return source;
  try {
    if (!request.keeps) await files.writeFile(files.resolvePath(cwd, output), new Uint8Array());
  } catch (thrown) {
    context.signal.throwIfAborted();
    return refuse(output, fileWords(thrown, flavour));
  }
  return source;
}

const isSink = (path: string): boolean => path === "/dev/null" || path === "/dev/zero";

interface Copied {
  readonly bytes: Uint8Array;
  readonly total: number;
  readonly full: number;
  readonly partial: number;
  readonly failure: string | undefined;
}

async function copy(
  context: CommandContext,
  request: Request,
  source: Uint8Array | "endless",
  clock: Stopwatch,
): Promise<Copied> {
  const { files, flavour, cwd } = context;
  const { blockSize, count, output } = request;
  const available = source === "endless" ? Number.POSITIVE_INFINITY : source.byteLength;
  const wanted = Math.min(available, blockSize * count);
  const total = Number.isFinite(wanted) ? wanted : blockSize * maxBlocks;
  const onDisk = output !== undefined && !isSink(output);
  const path = onDisk ? files.resolvePath(cwd, output) : "";
  const room = onDisk ? files.roomFor(path) - offsetOf(request) : Number.POSITIVE_INFINITY;
  const perBlock = blockMs(Math.min(blockSize, total), onDisk && !files.isInMemory(path));
  let owed = 0;
  let done = 0;
  let failure: string | undefined;
  while (done < total && failure === undefined) {
    const { delayMs, errno } = onDisk ? files.meets(path, "write") : { delayMs: 0, errno: undefined };
    owed += perBlock + delayMs;
    if (errno !== undefined) failure = new FileError(errnoName(errno), "write", path).words(flavour);
    else if (done >= room) failure = new FileError("ENOSPC", "write", path).words(flavour);
    else done = Math.min(total, done + blockSize, room);
    if (delayMs > 0 || owed > 1000) {
      await clock.wait(owed);
      owed = 0;
    }
  }
  if (owed > 0) await clock.wait(owed);
  const bytes =
    source === "endless"
      ? new Uint8Array(Math.min(done, maxKeptBytes))
      : source.subarray(0, Math.min(done, maxKeptBytes));
  if (!onDisk && !output) context.out(bytes.subarray(0, 1 << 20));
  return {
    bytes,
    total: done,
    full: Math.floor(done / blockSize),
    partial: done % blockSize ? 1 : 0,
    failure,
  };
}

const blockMs = (bytes: number, onDisk: boolean): number =>
  onDisk ? callMs + (bytes / diskRate) * 1000 : (bytes / memoryRate) * 1000;

/** Where in its output it begins, bytes. */
const offsetOf = ({ seek, blockSize }: Request): number => Math.min(seek * blockSize, maxKeptBytes);

/** Puts the file in place, flushes and, if asked, syncs it. Returns what went wrong. */
async function finish(
  context: CommandContext,
  request: Request,
  { bytes, total, failure }: Copied,
  clock: Stopwatch,
): Promise<string | undefined> {
  const { files, signal, flavour, cwd } = context;
  const { output } = request;
  if (output === undefined || isSink(output) || (total === 0 && failure !== undefined)) return undefined;
  const path = files.resolvePath(cwd, output);
  for (const method of request.syncs && failure === undefined ? ["fsync"] : []) {
    const { delayMs, errno } = files.meets(path, method);
    await clock.wait(delayMs + callMs);
    if (errno !== undefined) return new FileError(errnoName(errno), method, path).words(flavour);
  }
  try {
    const offset = offsetOf(request);
    const kept = offset === 0 ? bytes : Buffer.concat([new Uint8Array(offset), bytes]);
    await files.writeFile(path, longFile(kept, offset + total));
    return undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    return fileWords(thrown, flavour);
  }
}

function report({ flavour }: CommandContext, { status }: Request, copied: Copied, seconds: number): string {
  const { full, partial, total } = copied;
  const records = `${full}+${partial} records in\n${full}+${partial} records out\n`;
  if (status === "noxfer") return records;
  const elapsed = Math.max(seconds, 1e-6);
  if (flavour === "busybox")
    return `${records}${total} bytes (${busyboxBytes(total)}) copied, ${elapsed.toFixed(6)} seconds, ${busyboxBytes(total / elapsed)}/s\n`;
  const sizes =
    total >= 1024 ? ` (${siBytes(total)}, ${iecBytes(total)})` : total >= 1000 ? ` (${siBytes(total)})` : "";
  return `${records}${total} bytes${sizes} copied, ${Number(elapsed.toPrecision(6))} s, ${siBytes(total / elapsed)}/s\n`;
}
