import type { ExperimentRequest } from "@microremed/contracts";
import { oneOf } from "@microremed/core";

/** The methods of a request that cannot do one of the tasks of its episodes, a sentence each with the known methods that can. */
export function unfitMethods(
  { method: methods, task: tasks }: Pick<ExperimentRequest, "method"> & { readonly task: readonly string[] },
  known: { readonly methods: readonly string[]; does(method: string, task: string): boolean },
): string[] {
  return methods.flatMap((method) =>
    tasks
      .filter((task) => !known.does(method, task))
      .map((task) => {
        const able = known.methods.filter((other) => known.does(other, task));
        const use = able.length === 0 ? "no method here can" : `use ${oneOf(able)}`;
        return `${method} cannot do the task ${task}; ${use}`;
      }),
  );
}
