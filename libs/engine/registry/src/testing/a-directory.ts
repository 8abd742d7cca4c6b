import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { loadCatalogue } from "../load-catalogue.ts";

/** A directory outside of the repository with these files. */
export async function aDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-catalogue-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** The lines of the error with which these directories are refused, without the first; empty: they load. */
export async function problemsOf(...dirs: readonly string[]): Promise<string[]> {
  const message = await loadCatalogue({ dirs }).then(
    () => "",
    (error: Error) => error.message,
  );
  const short = dirs.reduce((text, dir, i) => text.replaceAll(dir, i === 0 ? "DIR" : `DIR${i + 1}`), message);
  return short.split("\n").slice(1);
}

/** The code of an oracle. */
export const oracle = (name: string, typed = ""): string => `
import { defineOracle, judged } from "@microremed/catalogue";
export default defineOracle({
  name: "${name}",
  description: "always in order",
  cost: 1,
  measure: async ()${typed} => judged("${name}", [], "in order"),
});
`;

/** The ground truth of a fault. */
export const truthOf = (affected: string): string =>
  `truth: (context) => ({ objects: [], affected: ${affected}, mechanism: null, explanation: "m", systemLevel: null, faultType: null })`;

/** The code of a fault, with further fields. */
export const fault = (name: string, fields: string): string => `
import { affectedObjects, defineFault, offeredWorkloads, z } from "@microremed/catalogue";
export default defineFault({
  name: "${name}", title: "t", description: "d", parameters: z.object({}),
  recovery: ["ready", "serving", "config"], symptom: "config", rightActions: [], repairs: [], shortcuts: [],
  ...offeredWorkloads(), ${truthOf("affectedObjects(context)")}, inject: () => {}, status: () => {}, remove: () => {},
  ${fields}
});
`;
