import { readFile, rm, writeFile } from "node:fs/promises";

/** Copies a cluster's kubeconfig. Disposing removes the copy, unless the file has become another one meanwhile. */
export async function copyKubeconfig(from: string, to: string): Promise<AsyncDisposable> {
  const own = await readFile(from, "utf8");
  await writeFile(to, own, { mode: 0o600 });
  return {
    async [Symbol.asyncDispose]() {
      if ((await readFile(to, "utf8").catch(() => undefined)) === own) await rm(to);
    },
  };
}
