import {
  type FailureReport,
  type GroundTruth,
  type Problem,
  type Task,
  truthOf,
} from "@microremed/catalogue";
import type { Catalogue } from "@microremed/registry";
import { briefOf } from "./brief.ts";
import { jsonSchemaOf } from "./offer.ts";

/** What agents are given of a problem in one of its tasks. */
export interface GivenTask {
  /** Of a part of another task: `<task>: <part>`. */
  readonly task: string;
  /** Word by word. */
  readonly given: string;
  /** JSON schema of the answer; null: what counts is the system. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** What agents are given of a problem, task by task; never the solution. Tasks that the catalogue lacks are left out. */
export function givenTasks(
  problem: Problem,
  catalogue: Pick<Catalogue, "tasks" | "environments">,
): GivenTask[] {
  const { tasks } = catalogue;
  return problem.tasks.filter(tasks.has).flatMap((name) => givenIn(problem, tasks.get(name), catalogue));
}

/** A task that is made of others asks what these ask. */
function givenIn(
  problem: Problem,
  task: Task,
  { tasks, environments }: Pick<Catalogue, "tasks" | "environments">,
): GivenTask[] {
  return (task.parts ?? [task.name]).map((name) => {
    const asked = tasks.get(name);
    const report = reportOf(problem, asked, environments, task.parts !== undefined);
    return {
      task: task.parts ? `${task.name}: ${name}` : name,
      given: briefOf(report, asked),
      answer: asked.answer === null ? null : jsonSchemaOf(asked.answer),
    };
  });
}

/** As the agent gets it; measured symptoms are known only in an episode. Parts of another task have no report. */
function reportOf(
  problem: Problem,
  task: Task,
  environments: Catalogue["environments"],
  isPart: boolean,
): FailureReport {
  const { environment, incident, information } = problem;
  const namespace = environments.has(environment) ? environments.get(environment).namespace : environment;
  const place = { environment, namespace };
  const [first] = incident;
  if (task.answer !== null || isPart) return place;
  if (information.report === "oracle" && first)
    return { ...place, failure: first.fault, target: first.target };
  return information.report === "symptoms"
    ? { ...place, symptoms: ["what is measured in the episode"] }
    : place;
}

/** What is wrong in a problem with this seed, and what would be right; undefined: it is not known, because the catalogue lacks a part. */
export function solutionOf(
  problem: Problem,
  seed: number,
  catalogue: Pick<Catalogue, "environments" | "faults" | "problems">,
): GroundTruth[] | undefined {
  if (problem.missing.length > 0) return undefined;
  const system = catalogue.environments.get(problem.environment);
  return catalogue.problems
    .at(problem, seed)
    .incident.map(({ fault, ...place }) => truthOf(catalogue.faults.get(fault), system, place));
}
