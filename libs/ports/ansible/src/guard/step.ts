import type { ParsedPlaybook } from "../parse-playbook.ts";
import { moduleName } from "./module-name.ts";

type Plays = Extract<ParsedPlaybook, { ok: true }>["plays"];
export type Fields = Readonly<Record<string, unknown>>;

/** A play, a block or a task, as rules read it. */
export interface Step {
  /** Where it is, in words. */
  readonly place: string;
  /** Its own keywords and values, without the tasks inside it. */
  readonly fields: Fields;
  /** Full name of the module that it runs; undefined for a play or a block. */
  readonly module: string | undefined;
  /** What the module is given: a mapping, or the free-form text of it. */
  readonly args: unknown;
}

/** More steps than any real playbook; anchors can make more of little text. */
const MAX_STEPS = 5000;

const lists = ["pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always"] as const;
/** What pulls other files into a play is a module when it is a task, so it counts as one here as well. */
const pulls: Readonly<Record<string, string>> = {
  import_playbook: "ansible.builtin.import_playbook",
  "ansible.builtin.import_playbook": "ansible.builtin.import_playbook",
  roles: "ansible.builtin.import_role",
  vars_files: "ansible.builtin.include_vars",
};

const keywords = new Set([
  ...lists,
  ...Object.keys(pulls),
  ..."action any_errors_fatal args async become become_exe become_flags become_method become_user changed_when check_mode".split(
    " ",
  ),
  ..."collections connection debugger delay delegate_facts delegate_to diff environment failed_when fact_path force_handlers".split(
    " ",
  ),
  ..."gather_facts gather_subset gather_timeout hosts ignore_errors ignore_unreachable listen local_action loop loop_control".split(
    " ",
  ),
  ..."max_fail_percentage module_defaults name no_log notify order poll port register remote_user retries run_once serial".split(
    " ",
  ),
  ..."strategy tags throttle timeout until vars vars_prompt when".split(" "),
]);

/** Every play, block and task in the order of the text. */
export function stepsOf(plays: Plays): Step[] {
  const steps: Step[] = [];
  const visit = (entry: unknown, place: string): void => {
    if (!isFields(entry) || steps.length >= MAX_STEPS) return;
    const here = `${place}${typeof entry["name"] === "string" ? ` ${JSON.stringify(entry["name"].slice(0, 80))}` : ""}`;
    const fields = Object.fromEntries(Object.entries(entry).filter(([key]) => !isList(key)));
    for (const { module, args } of modulesIn(entry)) steps.push({ place: here, fields, module, args });
    if (steps.at(-1)?.fields !== fields)
      steps.push({ place: here, fields, module: undefined, args: undefined });
    for (const list of lists) {
      const inner = entry[list];
      if (!Array.isArray(inner)) continue;
      for (const [index, one] of inner.entries()) visit(one, `${here}, ${nameOf(list)} ${index + 1}`);
    }
  };
  for (const [index, play] of plays.entries()) visit(play, `play ${index + 1}`);
  return steps;
}

function isList(key: string): boolean {
  return (lists as readonly string[]).includes(key);
}

function nameOf(list: (typeof lists)[number]): string {
  return list === "tasks" || list === "block" ? "task" : `${list.replace("_", "-").replace(/s$/, "")} task`;
}

function modulesIn(entry: Fields): { module: string; args: unknown }[] {
  const pulled = Object.entries(pulls).filter(([key]) => key in entry);
  const acted = ["action", "local_action"].filter((key) => key in entry).map((key) => action(entry[key]));
  const isPlay = "hosts" in entry;
  const named = Object.keys(entry).filter((key) => !isPlay && !keywords.has(key) && !/^with_/.test(key));
  return [
    ...pulled.map(([key, module]) => ({ module, args: entry[key] })),
    ...acted,
    ...named.map((key) => ({ module: moduleName(key), args: withArgs(entry[key], entry["args"]) })),
  ];
}

/** `action: shell echo hi`, or `action: {module: shell, cmd: echo hi}`. */
function action(value: unknown): { module: string; args: unknown } {
  if (isFields(value)) return { module: moduleName(String(value["module"] ?? "")), args: value };
  const [, name = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(String(value)) ?? [];
  return { module: moduleName(name), args: rest };
}

function withArgs(value: unknown, args: unknown): unknown {
  if (!isFields(args)) return value;
  return isFields(value) ? { ...args, ...value } : { ...args, _raw_params: value };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
