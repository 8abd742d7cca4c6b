import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { longName, takesNextWord } from "./kubectl-line.ts";
import { isFlag, isSubcommand, isVerb } from "./kubectl-names.ts";

const kubectl = promisify(execFile);

/** Commands that agents use, with one of each kind of subcommand. */
const commands = [
  ...["annotate", "api-resources", "apply", "auth can-i", "cluster-info dump", "config view", "cordon", "cp"],
  ...[
    "create",
    "create configmap",
    "create deployment",
    "debug",
    "delete",
    "describe",
    "diff",
    "drain",
    "edit",
  ],
  ...[
    "events",
    "exec",
    "explain",
    "expose",
    "get",
    "label",
    "logs",
    "options",
    "patch",
    "replace",
    "rollout status",
  ],
  ...["rollout undo", "run", "scale", "set env", "set image", "set resources", "taint", "top pod", "wait"],
];
/** Their value can only be joined. */
const joinedOnly = ["cascade", "dry-run", "validate"];

/** `-c, --container='':`, `--raw=false:`, as kubectl's help lists them. */
const listed = /^\s+(?:-(?<letter>\w), )?--(?<name>[a-z][\w-]*)=(?<value>.*):$/gm;

test.each(commands)("kubectl %s has the flags that the table says", async (command) => {
  const args = command === "options" ? [command] : [...command.split(" "), "--help"];
  const { stdout } = await kubectl("kubectl", args, { timeout: 60_000 });
  const flags = [...stdout.matchAll(listed)].map(({ groups = {} }) => groups);
  expect(flags.length).toBeGreaterThan(1);
  const [verb = "", subcommand = ""] = command.split(" ");
  expect(isVerb(verb)).toBe(true);
  if (verb === "rollout" || verb === "set") expect(isSubcommand(verb, subcommand)).toBe(true);
  expect(flags.flatMap(({ name = "" }) => (isFlag(name) ? [] : [name]))).toEqual([]);
  for (const { letter, name = "", value = "" } of flags) {
    const takes = !/^(true|false)$/.test(value) && !joinedOnly.includes(name);
    expect({ name, takes: takesNextWord(name, verb) }).toEqual({ name, takes });
    if (letter !== undefined) expect({ letter, name: longName(letter, verb) }).toEqual({ letter, name });
  }
});
