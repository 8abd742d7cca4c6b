import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { whenOrphaned } from "@microremed/servers";

/** What a kubelet sets for the whole kernel, for containers cannot have their own. */
const settings = [
  "vm/overcommit_memory",
  "vm/panic_on_oom",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/keys/root_maxkeys",
  "kernel/keys/root_maxbytes",
].map((name) => `/proc/sys/${name}`);

/** Forgotten when the machine starts again, as the settings are. */
const usualNotes = "/run/microremed-kernel-settings";

/**
 * Notes the kernel's settings as they were before any cluster started. Disposing puts them back, unless another cluster
 * runs: then the last one does. So does the end of this process.
 */
export async function keepKernelSettings(files = settings, notes = usualNotes): Promise<AsyncDisposable> {
  await mkdir(notes, { recursive: true });
  const values = (await notedBefore(notes)) ?? (await valuesOf(files));
  // Which process it is the note of: its number, and when it was started.
  const own = join(notes, `${process.pid}.${await startOf(process.pid)}.${randomUUID()}`);
  const draft = join(notes, `.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(values));
  await rename(draft, own);
  const guard = whenOrphaned(restoreLast, [notes, own, ...values.flat()]);
  return {
    async [Symbol.asyncDispose]() {
      guard.release();
      // Of no process: others that end now do not wait for this one, and one that starts still reads it.
      const ended = join(notes, `0.0.${randomUUID()}`);
      await rename(own, ended);
      const all = await notesIn(notes);
      const running = await Promise.all(all.map(isOfRunning));
      if (running.includes(true)) return rm(ended);
      for (const [file, value] of values) await writeFile(file, value);
      for (const note of all) await rm(join(notes, note), { force: true });
    },
  };
}

type Values = readonly (readonly [file: string, value: string])[];

async function valuesOf(files: readonly string[]): Promise<Values> {
  const found = await Promise.all(
    files.map(async (file) => [file, await readFile(file, "utf8").catch(() => undefined)] as const),
  );
  return found.flatMap(([file, value]) => (value === undefined ? [] : [[file, value.trim()] as const]));
}

/** What another cluster has found, which runs or was killed: what the kernel has now may be what it set. */
async function notedBefore(notes: string): Promise<Values | undefined> {
  for (const note of await notesIn(notes)) {
    // It may go meanwhile.
    const text = await readFile(join(notes, note), "utf8").catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Values;
  }
  return undefined;
}

const notesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith("."));

async function isOfRunning(note: string): Promise<boolean> {
  const [pid = "", start] = note.split(".");
  return (await startOf(Number(pid))) === start;
}

/** When a process was started, in ticks since the machine was; undefined: it does not run. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Field 22 of proc(5)'s stat, counted from behind the program's name.
  return text.split(") ").at(-1)?.split(" ")[19];
}

/** The same in a shell: "$1" is the folder of notes, "$2" the own one; then each file and its value. */
const restoreLast = `sleep 2
started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
for note in "$1"/*; do
  name=\${note##*/}; rest=\${name#*.}
  [ "$(started "\${name%%.*}")" = "\${rest%%.*}" ] && { rm -f "$2"; exit; }
done
own=$2; shift 2
while [ $# -gt 0 ]; do echo "$2" >"$1"; shift 2; done
rm -f "$own"`;
