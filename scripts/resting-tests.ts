import { changedFiles, shareOf } from "../libs/catalogue/sdk/src/testing/sample.ts";
import { longFiles } from "./vitest-sequencer.ts";

/** A run of everything takes one long file in so many. */
const turns = 6;
/** Of these `npm test` tries a sample of the entries already, or they are no part of it. */
const isOther = /\.(acceptance|real)\.test\.ts$|-(contract|families)\.test\.ts$/;
const taken = longFiles.filter((file) => !isOther.test(file));

/**
 * Long test files that rest in this run, from the repository's root: a run of everything takes a sixth of them, another sixth at
 * the next commit, and those that have changed lately. None rests with WHOLE_PROOF, where there is no git history, and where
 * the command names folders or files.
 */
export function restingTests(command: readonly string[]): string[] {
  if (command.some((word) => /[/\\]|\.test\b/.test(word))) return [];
  const changed = changedFiles();
  if (changed === undefined) return [];
  const running = new Set([...shareOf(taken, turns), ...changed]);
  return taken.filter((file) => !running.has(file));
}
