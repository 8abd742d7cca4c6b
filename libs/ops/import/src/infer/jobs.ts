import type { ContainerSpec, JobPods } from "@microremed/catalogue/environment";
import { guess } from "../marked.ts";
import type { System } from "../system.ts";
import { callsOfPods, type InferredCall } from "./calls.ts";
import { inferProgram, type Program } from "./programs.ts";

/** What is inferred of a Job or a CronJob. */
export interface InferredJob {
  readonly name: string;
  readonly programs: ReadonlyMap<string, Program>;
  readonly calls: readonly InferredCall[];
}

/** A Job that starts with the system finds its database not there yet. */
const tries = { retries: 10, retryBackoffMs: 3_000 };
/** How long a program of which nothing is known runs, s. */
const usualSeconds = 5;

/** The Jobs whose programs a command does not show. */
export const inferJobs = (system: System): InferredJob[] =>
  [...system.jobs].flatMap(([name, pods]) => inferJob(system, name, pods) ?? []);

function inferJob(system: System, name: string, pods: JobPods): InferredJob | undefined {
  const [first] = pods.containers;
  if (!first || doesWhatItSays(first)) return undefined;
  const program = inferProgram(first, { services: [], usage: undefined, calledAs: undefined });
  const { listens: _, cpuMillisPerRequest: __, ...rest } = program;
  return {
    name,
    programs: new Map([
      [
        first.name,
        {
          ...rest,
          ends: guess({ afterSeconds: usualSeconds, exitCode: 0, says: [] }, "a Job's program ends"),
        },
      ],
    ]),
    calls: callsOfPods(system, name, pods)
      .filter(({ call }) => call.perRequest > 0)
      .map((one) => ({ ...one, call: { ...one.call, ...tries } })),
  };
}

/** Programs that embedded clusters run as they are. */
const known =
  /(^|\/)(sh|ash|bash|dash|sleep|echo|true|false|date|env|ls|cat|cp|mkdir|chmod|chown|rm|touch|wget|curl|nc|nslookup|ping|dd|test|kubectl|jq|redis-cli|mysql|mongo|mongosh|psql)$/;

/** Whether its command line is all of its program, and can be read. */
function doesWhatItSays({ command = [], args = [] }: ContainerSpec): boolean {
  const [program = "", option = ""] = [...command, ...args];
  return known.test(program) || (/(^|\/)(python[\d.]*|node)$/.test(program) && /^-[ce]$/.test(option));
}
