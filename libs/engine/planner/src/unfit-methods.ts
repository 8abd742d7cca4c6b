import type { Solver } from "@microremed/catalogue";
import { type ExperimentRequest, isSessionModel, noModel } from "@microremed/contracts";
import { oneOf } from "@microremed/core";
import { needsOf } from "@microremed/llm/policy-needs";

interface Known {
  readonly methods: readonly string[];
  does(method: string, task: string): boolean;
  solver(method: string): Solver;
  /** Names of the tools that a method offers. */
  tools(method: string): readonly string[];
}

/** Why methods of a request do not fit its tasks and models, a sentence each with what would. */
export function unfitMethods(
  {
    method: methods,
    task: tasks,
    model: models,
  }: Pick<ExperimentRequest, "method" | "model"> & {
    readonly task: readonly string[];
  },
  known: Known,
): string[] {
  return [
    ...unfitForTasks(methods, tasks, known),
    ...unfitForModels(methods, models, known),
    ...models.flatMap((model) => unfitForPolicy(methods, model, known)),
  ];
}

/** A policy that misses a tool finds less, which looks like a system in which less is wrong. */
function unfitForPolicy(methods: readonly string[], model: string, known: Known): string[] {
  const needs = needsOf(model);
  if (needs === undefined) return [];
  const missing = (method: string) => needs.tools.filter((tool) => !known.tools(method).includes(tool));
  const asks = (method: string) => known.solver(method) === "model";
  const able = known.methods.filter((method) => asks(method) && missing(method).length === 0);
  return methods
    .filter((method) => asks(method) && missing(method).length > 0)
    .map(
      (method) =>
        `${model} calls ${missing(method).join(", ")}, which ${method} does not offer; use ${oneOf(able)}`,
    );
}

function unfitForModels(methods: readonly string[], models: readonly string[], known: Known): string[] {
  return methods.flatMap((method) => {
    const solver = known.solver(method);
    if (solver === "code" && models.length > 1)
      return `${method} calls no model, so it would do the same ${models.length} times; ask for it with one model, or alone with the model ${noModel}`;
    const [outside] = models.filter(isSessionModel);
    if (solver === "session" && !models.every(isSessionModel))
      return `${method} is for outside agents, whose models are called session/<agent>; name only such models with it`;
    if (solver !== "session" && outside !== undefined)
      return `${outside} is an outside agent, which ${method} cannot ask; use a method for sessions (Session)`;
    if (solver === "model" && models.includes(noModel))
      return `${method} calls a model, and ${noModel} is the name for none; name a model`;
    return [];
  });
}

/** A method must do one of the tasks: the plan leaves out those that it cannot do. */
function unfitForTasks(methods: readonly string[], tasks: readonly string[], known: Known): string[] {
  return methods
    .filter((method) => !tasks.some((task) => known.does(method, task)))
    .map((method) => {
      const able = known.methods.filter((other) => tasks.some((task) => known.does(other, task)));
      const use = able.length === 0 ? "no method here can" : `use ${oneOf(able)}`;
      const asked = tasks.length === 1 ? `the task ${tasks[0]}` : `any of the tasks ${tasks.join(", ")}`;
      return `${method} cannot do ${asked}; ${use}`;
    });
}

/** The tasks of a request that the plan leaves out for each of its methods, in words. */
export function leftOutOf(
  { method: methods, task: tasks }: Pick<ExperimentRequest, "method"> & { readonly task: readonly string[] },
  known: Pick<Known, "does">,
): string[] {
  return methods.flatMap((method) => {
    const left = tasks.filter((task) => !known.does(method, task));
    // What it can do none of is refused.
    return left.length === 0 || left.length === tasks.length
      ? []
      : [
          `${method} is not asked for ${left.join(", ")}: it does ${tasks.filter((task) => !left.includes(task)).join(", ")} alone`,
        ];
  });
}
