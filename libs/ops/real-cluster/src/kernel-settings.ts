import { readFile, writeFile } from "node:fs/promises";
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

/** Disposing puts the kernel's settings back to what they are now; so does the end of this process. */
export async function keepKernelSettings(): Promise<AsyncDisposable> {
  const values: [file: string, value: string][] = [];
  for (const file of settings) {
    const value = await readFile(file, "utf8").catch(() => undefined);
    if (value !== undefined) values.push([file, value.trim()]);
  }
  const script = 'sleep 2; while [ $# -gt 0 ]; do echo "$2" >"$1"; shift 2; done';
  const guard = whenOrphaned(script, values.flat());
  return {
    async [Symbol.asyncDispose]() {
      guard.release();
      for (const [file, value] of values) await writeFile(file, value);
    },
  };
}
