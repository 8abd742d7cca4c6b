import type { ParsedPlaybook } from "../parse-playbook.ts";
import { type Fields, isFields, moduleOf, sections } from "./check-interpretable.ts";
import type { Place, TaskResult } from "./module.types.ts";
import type { Recap } from "./recap.ts";
import { holds, render } from "./render.ts";
import { type PlayState, runTask } from "./run-task.ts";
import { TemplateError } from "./template-error.ts";

type Plays = Extract<ParsedPlaybook, { ok: true }>["plays"];

/** Names that the inventory's one host goes by. */
const hosts = new Set(["k3s_control_plane", "k3s-control-plane", "localhost", "all", "127.0.0.1"]);

/** A task failed and nothing rescued it: the host takes no further part. */
class HostFailed extends Error {}

/** Runs plays in order, writing down in `recap` what Ansible would print. True: nothing failed. */
export async function runPlays(plays: Plays, place: Place, recap: Recap): Promise<boolean> {
  const variables = new Map<string, unknown>();
  try {
    for (const play of plays) await runPlay(play, place, variables, recap);
    return true;
  } catch (error) {
    if (!(error instanceof HostFailed)) throw error;
    return false;
  }
}

async function runPlay(
  play: Fields,
  place: Place,
  variables: Map<string, unknown>,
  recap: Recap,
): Promise<void> {
  recap.play(String(play["name"] ?? play["hosts"] ?? ""));
  const wanted = [play["hosts"]].flat().flatMap((one) => String(one).split(/[,:]/));
  if (!wanted.some((name) => hosts.has(name.trim()))) return recap.noHosts();
  if (play["gather_facts"] !== false) recap.task("Gathering Facts", { changed: false }, false);
  if (isFields(play["vars"]))
    for (const [name, value] of Object.entries(play["vars"]))
      variables.set(name, renderLazily(value, variables));
  const environment = isFields(play["environment"])
    ? (render(play["environment"], Object.fromEntries(variables)) as Record<string, string>)
    : {};
  const state: PlayState = { place, variables, environment };
  for (const section of sections) await runList(play[section], state, recap, play["ignore_errors"] === true);
}

/** Variables of a play may name others that only come later: those stay as they are written. */
function renderLazily(value: unknown, variables: Map<string, unknown>): unknown {
  try {
    return render(value, Object.fromEntries(variables));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return value;
  }
}

async function runList(list: unknown, state: PlayState, recap: Recap, ignoreErrors: boolean): Promise<void> {
  for (const task of Array.isArray(list) ? (list as readonly Fields[]) : []) {
    if ("block" in task) await runBlock(task, state, recap, ignoreErrors);
    else await runOne(task, state, recap, ignoreErrors);
  }
}

async function runOne(task: Fields, state: PlayState, recap: Recap, ignoreErrors: boolean): Promise<void> {
  const name = String(task["name"] ?? moduleOf(task).module.replace(/^ansible\.builtin\./, ""));
  const result = await runTask(task, state);
  if (task["register"] !== undefined) state.variables.set(String(task["register"]), withFailure(result));
  const ignored = result.failed === true && (task["ignore_errors"] === true || ignoreErrors);
  recap.task(name, result, ignored);
  if (result.failed === true && !ignored) throw new HostFailed(name);
}

const withFailure = (result: TaskResult): TaskResult => ({ ...result, failed: result.failed === true });

async function runBlock(block: Fields, state: PlayState, recap: Recap, ignoreErrors: boolean): Promise<void> {
  const isSkipped = block["when"] !== undefined && !holds(block["when"], Object.fromEntries(state.variables));
  if (isSkipped) return;
  const ignores = ignoreErrors || block["ignore_errors"] === true;
  try {
    await runList(block["block"], state, recap, ignores);
  } catch (error) {
    if (!(error instanceof HostFailed) || block["rescue"] === undefined) throw error;
    recap.rescued();
    await runList(block["rescue"], state, recap, ignores);
  } finally {
    await runList(block["always"], state, recap, ignores);
  }
}
