import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorsComputer } from "./operators-computer.ts";

/** All that the files of an experiment's episodes say, as the page has them written. */
export async function transcriptsOf(computer: OperatorsComputer, experimentId: string): Promise<string> {
  await computer.type(`npx microremed report ${experimentId} --save-path transcripts`);
  const folder = join(computer.dir, "transcripts");
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".json"));
  return (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join("\n");
}
