import { parse } from "just-bash";
import { expect, test } from "vitest";
import {
  changesShell,
  isOwnVariable,
  leavings,
  needsWholeShell as needsWhole,
  ownCommands,
} from "./shell-words.ts";

const needsWholeShell = (script: string): boolean => needsWhole(script, parse(script).statements);

test("a command that changes the shell is a matter for the whole shell, but for those that only leave a part of it", () => {
  const changing = ownCommands.filter(changesShell);
  expect(changing).toContain("umask");
  for (const name of changing)
    expect([name, needsWholeShell(`${name} x`)]).toEqual([name, !leavings.some((one) => one === name)]);
  expect(["echo", "pwd", "[", "command", "nginx"].filter(changesShell)).toEqual([]);
});

test("a variable that a shell sets itself is a matter for the whole shell, and no background script gets it", () => {
  for (const name of ["PWD", "BASH_VERSION", "EUID", "OPTIND", "RANDOM", "SECONDS"])
    expect([name, isOwnVariable(name), needsWholeShell(`echo $${name}`)]).toEqual([name, true, true]);
  for (const name of ["PATH", "HOME", "IFS"])
    expect([name, isOwnVariable(name), needsWholeShell(`echo $${name}`)]).toEqual([name, false, true]);
  expect(needsWholeShell("PASSWORD=1; echo $PASSWORD setup ./run.sh")).toBe(false);
});
