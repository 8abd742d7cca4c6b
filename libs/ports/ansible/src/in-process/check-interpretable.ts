import { moduleName } from "../guard/module-name.ts";
import type { ParsedPlaybook } from "../parse-playbook.ts";
import { modules } from "./modules/index.ts";
import { notInterpreted } from "./template-error.ts";

type Plays = Extract<ParsedPlaybook, { ok: true }>["plays"];
export type Fields = Readonly<Record<string, unknown>>;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const ofPlays = words(
  "name hosts become become_user become_method connection gather_facts vars environment tags any_errors_fatal remote_user ignore_errors pre_tasks tasks post_tasks collections",
);
const ofTasks = words(
  "name when register vars loop with_items loop_control until retries delay ignore_errors failed_when changed_when tags environment become become_user become_method no_log run_once delegate_to args block rescue always",
);
const own = words("ansible.builtin.set_fact ansible.builtin.meta");
const maxTasks = 5000;

/** The lists of a play whose tasks run, in order. */
export const sections = ["pre_tasks", "tasks", "post_tasks"] as const;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A task's module by its full name, and what it is given. */
export function moduleOf(task: Fields): { readonly module: string; readonly args: Fields } {
  const [key = "", ...others] = Object.keys(task).filter((name) => !ofTasks.has(name));
  if (others.length > 0)
    throw notInterpreted(`the keyword ${others.find((name) => !modules[moduleName(name)]) ?? key} of a task`);
  const given = task[key];
  const args = isFields(given)
    ? given
    : given === undefined || given === null
      ? {}
      : freeForm(String(given), moduleName(key));
  return { module: moduleName(key), args: { ...(isFields(task["args"]) ? task["args"] : {}), ...args } };
}

/** `debug: msg=hello` is the old way of writing `debug: {msg: hello}`; a shell's text is as it is. */
function freeForm(text: string, module: string): Fields {
  if (/\.(?:shell|command)$/.test(module) || !/^\s*\w+=/.test(text)) return { _raw_params: text };
  const pairs = [...text.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S+)/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name, value.replace(/^(["'])([\s\S]*)\1$/, "$2")]),
  );
}

/** Throws `not-simulated` for the first thing that the interpreter does not know, before anything is run. */
export function checkInterpretable(plays: Plays): void {
  let tasks = 0;
  const visit = (list: unknown): void => {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) throw notInterpreted("a list of tasks that is none");
    for (const task of list) {
      tasks += 1;
      if (tasks > maxTasks) throw notInterpreted(`more than ${maxTasks} tasks`);
      if (!isFields(task)) throw notInterpreted("a task that is no mapping");
      if ("block" in task) {
        const other = Object.keys(task).find((name) => !ofTasks.has(name));
        if (other !== undefined) throw notInterpreted(`the keyword ${other} of a block`);
        for (const part of ["block", "rescue", "always"]) visit(task[part]);
        continue;
      }
      const { module } = moduleOf(task);
      if (!modules[module] && !own.has(module)) throw notInterpreted(`the module ${module}`);
    }
  };
  for (const play of plays) {
    const other = Object.keys(play).find((name) => !ofPlays.has(name));
    if (other !== undefined) throw notInterpreted(`the keyword ${other} of a play`);
    for (const section of sections) visit(play[section]);
  }
}
