import { changedFiles, shareOf } from "../libs/catalogue/sdk/src/testing/sample.ts";
import { longFiles } from "./vitest-sequencer.ts";

const integration = longFiles.filter((file) => file.endsWith(".int.test.ts"));

/**
 * Long integration tests that rest in this run, from the repository's root: a run of everything takes one half of them, the other half at
 * another commit, and those that have changed lately. None rests with WHOLE_PROOF, where there is no git history, and where the
 * command names folders or files.
 */
export function restingTests(command: readonly string[]): string[] {
  if (command.some((word) => /[/\\]|\.test\b/.test(word))) return [];
  const changed = changedFiles();
  if (changed === undefined) return [];
  const running = new Set([...shareOf(integration, 2), ...changed]);
  return integration.filter((file) => !running.has(file));
}
