import { type Fields, isFields, moduleOf } from "./check-interpretable.ts";
import type { Variables } from "./cursor.ts";
import { evaluateExpression } from "./expression.ts";
import type { Place, TaskResult } from "./module.types.ts";
import { modules } from "./modules/index.ts";
import { OutOfTime } from "./out-of-time.ts";
import { holds, render } from "./render.ts";
import { notInterpreted, TemplateError } from "./template-error.ts";
import { isUndefined, textOf } from "./values.ts";

/** What a running play knows. */
export interface PlayState {
  readonly place: Place;
  /** Facts and registered results; grows as tasks run. */
  readonly variables: Map<string, unknown>;
  readonly environment: Readonly<Record<string, string>>;
}

const maxItems = 1000;
const maxRetries = 1000;
/** Ansible's defaults of `retries` and `delay` for a task with `until`. */
const defaultRetries = 3;
const defaultDelaySeconds = 5;

/** Runs one task, over its loop if it has one. Never throws what the task itself does wrong. */
export async function runTask(task: Fields, state: PlayState): Promise<TaskResult> {
  const items = itemsOf(task, state);
  if (items === undefined) return await once(task, state, {});
  if (!Array.isArray(items))
    return {
      changed: false,
      failed: true,
      msg: `Invalid data passed to 'loop', it requires a list, got this instead: ${textOf(items)}`,
    };
  if (items.length > maxItems) throw notInterpreted(`a loop over more than ${maxItems} items`);
  const control = isFields(task["loop_control"]) ? task["loop_control"] : {};
  const loopVar = String(control["loop_var"] ?? "item");
  const results: TaskResult[] = [];
  for (const [index, item] of items.entries()) {
    const more = {
      [loopVar]: item,
      ...(control["index_var"] !== undefined && { [String(control["index_var"])]: index }),
    };
    results.push({ ...(await once(task, state, more)), [loopVar]: item });
  }
  const failed = results.some((one) => one.failed === true);
  const skipped = results.every((one) => one.skipped === true);
  return {
    results,
    changed: results.some((one) => one.changed),
    ...(failed && { failed, msg: "One or more items failed" }),
    ...(skipped && { skipped, msg: "All items skipped" }),
  };
}

function itemsOf(task: Fields, state: PlayState): unknown {
  const given = task["loop"] ?? task["with_items"];
  if (given === undefined) return undefined;
  try {
    const items = render(given, inScope(task, state, {}));
    return task["with_items"] === undefined || !Array.isArray(items) ? items : items.flat();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    // A task that is not to run need not have what it loops over.
    return [];
  }
}

function inScope(task: Fields, { variables }: PlayState, more: Variables): Variables {
  const scope: Variables = { ...Object.fromEntries(variables), ...more };
  return isFields(task["vars"]) ? { ...scope, ...(render(task["vars"], scope) as Fields) } : scope;
}

async function once(task: Fields, state: PlayState, more: Variables): Promise<TaskResult> {
  try {
    const scope = inScope(task, state, more);
    if (task["when"] !== undefined && !holds(task["when"], scope))
      return { changed: false, skipped: true, msg: "Conditional result was False" };
    return await untilItHolds(task, state, scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { changed: false, failed: true, msg: error.message };
  }
}

async function untilItHolds(task: Fields, state: PlayState, scope: Variables): Promise<TaskResult> {
  const { cluster, endsAt, signal } = state.place;
  const register = String(task["register"] ?? "");
  const retries =
    task["until"] === undefined
      ? 0
      : Math.min(Number(render(task["retries"] ?? defaultRetries, scope)), maxRetries);
  for (let attempts = 1; ; attempts++) {
    const result = judged(task, await runModule(task, state, scope), scope, register);
    if (task["until"] === undefined) return result;
    const known = { ...scope, ...(register !== "" && { [register]: result }) };
    if (holds(task["until"], known)) return { ...result, attempts };
    if (attempts > retries) return { ...result, attempts, failed: true };
    const delayMs = Number(render(task["delay"] ?? defaultDelaySeconds, scope)) * 1000;
    const left = endsAt - (await cluster.clock.now());
    if (delayMs >= left) throw new OutOfTime();
    await cluster.clock.sleep(delayMs, signal);
  }
}

/** With what the task says of itself: when it has failed, when it has changed something. */
function judged(task: Fields, result: TaskResult, scope: Variables, register: string): TaskResult {
  const known = { ...scope, ...(register !== "" && { [register]: result }) };
  const changed = task["changed_when"] === undefined ? result.changed : holds(task["changed_when"], known);
  if (task["failed_when"] === undefined) return { ...result, changed };
  const { failed: _failed, ...rest } = result;
  const isFailed = holds(task["failed_when"], known);
  return { ...rest, changed, failed_when_result: isFailed, ...(isFailed && { failed: true }) };
}

async function runModule(task: Fields, state: PlayState, scope: Variables): Promise<TaskResult> {
  const { module, args: given } = moduleOf(task);
  if (module === "ansible.builtin.meta") return { changed: false };
  // Conditions of an assertion are expressions, not templates.
  const { that, ...rest } = given;
  const args = { ...(render(rest, scope) as Fields), ...(that !== undefined && { that }) };
  if (module === "ansible.builtin.set_fact") {
    const { cacheable: _cacheable, ...facts } = args as Record<string, unknown>;
    for (const [name, value] of Object.entries(facts)) state.variables.set(name, value);
    return { changed: false, ansible_facts: facts };
  }
  const run = modules[module];
  if (!run) throw notInterpreted(`the module ${module}`);
  if ((await state.place.cluster.clock.now()) >= state.place.endsAt) throw new OutOfTime();
  const own = isFields(task["environment"]) ? (render(task["environment"], scope) as Fields) : {};
  const environment = Object.fromEntries(
    Object.entries({ ...state.environment, ...own }).map(([name, value]) => [name, textOf(value)]),
  );
  return run({
    ...state.place,
    args,
    environment,
    holds: (condition) => holds(condition, scope),
    variable: (name) => {
      const value = evaluateExpression(name, scope);
      return isUndefined(value) ? "VARIABLE IS NOT DEFINED!" : value;
    },
  });
}
