import { z } from "zod";

const names = (what: string) => z.array(z.string().min(1).max(200)).max(1000).describe(what);

/** What playbooks may do: the content of a policy file. */
export const PlaybookPolicy = z.strictObject({
  description: z.string().min(1).describe("one line, shown in lists"),
  modules: names(
    "modules that may be used, by their full names, e.g. ansible.builtin.shell; a `*` at the end matches any rest",
  ),
  lookups: names("allowed lookup plugins, by name or with their first argument; `*`: all"),
  connections: z
    .enum(["inventory", "any"])
    .describe("inventory: tasks run where the inventory says, and nowhere else"),
  files: z
    .enum(["run", "any"])
    .describe("run: files are written in the run's own directories only (home, /tmp)"),
  escalation: z
    .enum(["any", "ignored", "refused"])
    .describe(
      "ignored: `become` may be written and has no effect, sudo and its like may not; refused: none of them may",
    ),
  namespaces: z.enum(["arena", "any"]).describe("arena: objects of no other namespace are named"),
  changes: z
    .enum(["allowed", "refused"])
    .describe("refused: shell commands only read, as those of probes do"),
});
export type PlaybookPolicy = z.infer<typeof PlaybookPolicy>;

/** Whether a list of names, some of which may end with `*`, holds a name. */
export function allows(list: readonly string[], name: string): boolean {
  return list.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
}
