import { canDoAll, solverOf, type Task } from "@microremed/catalogue";
import {
  isSequence,
  planRequest,
  requestParameterIssues,
  sequenceNames,
  tasksIn,
  unpublishedIn,
} from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Catalog } from "./service.types.ts";

/** What this build of the product knows, over the clusters (as they change) and policies at hand. */
export function createCatalog(
  catalogue: Pick<
    Catalogue,
    "environments" | "faults" | "noises" | "suites" | "problems" | "agents" | "tasks"
  >,
  clusters: { readonly names: readonly string[] },
  policies: readonly string[],
): Catalog {
  const { environments, agents, faults, tasks } = catalogue;
  return {
    environments: environments.names,
    methods: agents.names,
    failures: faults.names,
    isPlan: (name) => isSequence(name, catalogue),
    plans: () => sequenceNames(catalogue),
    suites: catalogue.problems.suites,
    get clusters() {
      return clusters.names;
    },
    policies,
    plan: (request) => planRequest(request, { catalogue }),
    tasksIn: (request) => tasksIn(request, { catalogue }),
    withoutPublishedRule: (request) => unpublishedIn(request, { catalogue }),
    parameterIssues: (request) => requestParameterIssues(request, { catalogue }),
    namespaceOf: (environment) => environments.get(environment).namespace,
    tasks: tasks.names,
    task: (name) => {
      const {
        outcomes = { passed: "solved", failed: "not-solved" },
        parts,
        watch,
        ...task
      } = tasks.get(name);
      return {
        ...rulesOf(task),
        outcomes,
        ...(watch && { watch }),
        ...(parts && { parts: parts.map((part) => ({ ...rulesOf(tasks.get(part)), name: part })) }),
      };
    },
    does: (method, task) =>
      canDoAll(agents.get(method), tasks.names.includes(task) ? tasks.get(task) : { name: task }),
    solver: (method) => solverOf(agents.get(method)),
    tools: (method) => agents.get(method).tools,
    maxAttempts: (method, requested) => agents.get(method).maxAttempts(requested),
  };
}

const rulesOf = ({ answer, mayAct }: Pick<Task, "answer" | "mayAct">) => ({
  answered: answer !== null,
  mayAct,
});
