import { load } from "js-yaml";
import { expect, test } from "vitest";
import { shellPlaybook } from "./shell-playbook.ts";

test("a command of several lines stays one script, as it was", () => {
  const commands = ["kubectl get pods", 'made=$(cat /a)\n  for one in $made; do\n    echo "$one"\n  done'];
  const [play] = load(shellPlaybook("mend", commands)) as { tasks: Record<string, string>[] }[];
  expect(play?.tasks[0]?.["ansible.builtin.shell"]).toBe(`set -e\n${commands.join("\n")}\n`);
});
