import { rename, writeFile } from "node:fs/promises";

/** Writes a file that is there as a whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
