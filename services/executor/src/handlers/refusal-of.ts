import { checkPlaybook } from "@microremed/ansible";
import type { Execution } from "@microremed/contracts";

type Guard = Parameters<typeof checkPlaybook>[1];

/** Why a policy does not let a shell command run, as an execution; undefined: it does. The rules are those of a playbook's shell task. */
export async function refusalOf(
  command: string,
  policyName: string,
  guard: Guard,
): Promise<Execution | undefined> {
  const plays = [{ hosts: "all", tasks: [{ name: "command", "ansible.builtin.shell": command }] }];
  const [first, ...others] = await checkPlaybook(plays, guard);
  if (first === undefined) return undefined;
  const list = [first, ...others].map(({ rule, message }) => `- ${message} (rule ${rule})`);
  const output = [`The command was not run: the policy "${policyName}" does not allow it.`, ...list].join(
    "\n",
  );
  return { status: "rejected", exitCode: null, output, wallSeconds: 0, rule: first.rule };
}
