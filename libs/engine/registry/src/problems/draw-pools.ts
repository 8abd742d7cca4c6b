import type {
  Environment,
  Fault,
  IncidentFault,
  IncidentShape,
  ProblemFormat,
  ProblemNoise,
  ProblemPool,
} from "@microremed/catalogue";
import { loadOf, targetOf, targetText } from "@microremed/catalogue";
import { createRng, type Rng } from "@microremed/core";
import { createBags, type Deal, shuffled } from "./create-bags.ts";
import type { MadeProblem } from "./made-problem.ts";
import type { ProblemParts } from "./problem-issues.ts";

/** How often a further fault of an incident is drawn until one fits the others. */
const mostTries = 100;

/** A drawn problem without a name. */
type Nameless = Omit<MadeProblem, "format"> & { readonly format: Omit<ProblemFormat, "id"> };

interface Pool {
  readonly pool: ProblemPool;
  /** `pools[<number>]`. */
  readonly field: string;
  readonly parts: ProblemParts;
  readonly deal: Deal;
}

/**
 * The problems of all pools of a suite, in a drawn order, called `<environment>-<task>-<number>`: neither order nor name
 * says what is wrong. The suite's name with its version is the seed. Names that are not in the catalogue make no problem:
 * they are reported by others.
 */
export function drawPools(
  suite: string,
  pools: readonly ProblemPool[],
  parts: ProblemParts,
  usual: readonly string[] = [],
): MadeProblem[] {
  const drawn = pools.flatMap((pool, i) => {
    const rng = createRng(suite, `pool ${i}`);
    const environments = pool.environments.flatMap((name) => parts.environments.get(name) ?? []);
    const from = { pool, field: `pools[${i}]`, parts, deal: createBags(rng.fork("bags")) };
    return environments.flatMap((environment) =>
      (pool.tasks ?? usual).flatMap((task) =>
        Array.from({ length: pool.each }, (_, n) =>
          drawOne(from, environment, task, n < pool.healthy, rng.fork(`${environment.name} ${task} ${n}`)),
        ).flat(),
      ),
    );
  });
  const seen = new Map<string, number>();
  return shuffled(drawn, createRng(suite, "order")).map(({ format, written }) => {
    const kind = `${format.environment}-${format.tasks?.join("-")}`;
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    return { format: { ...format, id: `${kind}-${String(number).padStart(2, "0")}` }, written };
  });
}

/** Empty: no fault of the pool fits the environment. */
function drawOne(
  from: Pool,
  environment: Environment,
  task: string,
  isHealthy: boolean,
  rng: Rng,
): Nameless[] {
  const { pool, field, deal } = from;
  const incident = isHealthy ? { faults: [], written: {} } : drawIncident(from, environment, rng);
  if (incident === undefined) return [];
  const kind = isHealthy ? "healthy" : "faulty";
  const workload = loadOf(deal(`loads, ${kind}`, pool.loads));
  const { information, limits, watch, heldOut } = pool;
  return [
    {
      format: {
        environment: environment.name,
        incident: incident.faults,
        tasks: [task],
        ...(information && { information }),
        ...(limits && { limits }),
        ...(watch && { watch }),
        ...(heldOut && { heldOut }),
        ...(workload && { workload }),
        noise: drawNoises(from, environment, kind, rng.fork("noises")),
      },
      written: {
        "": field,
        tasks: pool.tasks ? `${field}.tasks` : "defaults.tasks",
        workload: `${field}.loads`,
        noise: `${field}.noises`,
        ...incident.written,
      },
    },
  ];
}

interface DrawnIncident {
  readonly faults: IncidentFault[];
  readonly written: Record<string, string>;
}

/** Undefined: no fault of the pool fits the environment. */
function drawIncident(from: Pool, environment: Environment, rng: Rng): DrawnIncident | undefined {
  const { pool, field, deal } = from;
  const groups = groupsIn(from, environment);
  if (groups.length === 0) return undefined;
  const number = deal("incidents", [...pool.incidents.keys()]);
  const shape = pool.incidents[number] as IncidentShape;
  const faults: IncidentFault[] = [];
  const written: Record<string, string> = {};
  for (let i = 0; i < shape.faults; i++) {
    const drawn = drawFault(from, environment, groups, faults, rng.fork(`fault ${i}`));
    if (!drawn) break;
    const { fault, target, parameters, set } = drawn;
    const time =
      i === 0 ? { at: 0 } : shape.cascade ? { at: shape.apart, after: i - 1 } : { at: i * shape.apart };
    faults.push({
      ...{ fault, target },
      ...(parameters && { parameters }),
      ...time,
      ...(shape.flap && { flap: shape.flap }),
    });
    written[`incident[${i}].parameters`] = `${field}.parameters.${fault}[${set}]`;
    written[`incident[${i}]`] = `${field}.incidents[${number}]`;
  }
  return { faults, written };
}

interface Group {
  readonly name: string;
  readonly faults: readonly Fault[];
}

/** Groups with a fault that the environment can have, each with those faults. */
function groupsIn({ pool, parts }: Pool, environment: Environment): Group[] {
  return Object.entries(pool.faults)
    .map(([name, faults]) => ({
      name,
      faults: faults
        .flatMap((fault) => parts.faults.get(fault) ?? [])
        .filter((fault) => fault.targets(environment).length > 0),
    }))
    .filter(({ faults }) => faults.length > 0);
}

/** One fault beside those before it, each on a workload of its own. Undefined: none was found. */
function drawFault(
  { pool, deal }: Pool,
  environment: Environment,
  groups: readonly Group[],
  before: readonly IncidentFault[],
  rng: Rng,
) {
  const workloadOf = (target: string): string => targetOf(environment, target)?.name ?? target;
  const taken = new Set(before.map(({ target }) => workloadOf(target)));
  for (let i = 0; i < mostTries; i++) {
    const { name, faults } = deal(`groups in ${environment.name}`, groups);
    const fault = deal(`${name} in ${environment.name}`, faults);
    if (!fault.canRepeat && before.some((one) => one.fault === fault.name)) continue;
    const free = fault
      .targets(environment)
      .map(targetText)
      .filter((target) => !taken.has(workloadOf(target)));
    if (free.length === 0) continue;
    const sets = Object.hasOwn(pool.parameters, fault.name) ? (pool.parameters[fault.name] ?? [{}]) : [{}];
    const set = deal(`parameters of ${fault.name}`, [...sets.keys()]);
    const values = sets[set] ?? {};
    const parameters = Object.keys(values).length > 0 ? values : undefined;
    return { fault: fault.name, target: rng.pick(free), parameters, set };
  }
  return undefined;
}

/** Different noises, on workloads that are drawn without regard to where the faults are: their places predict nothing. */
function drawNoises(
  { pool, parts, deal }: Pool,
  environment: Environment,
  kind: string,
  rng: Rng,
): ProblemNoise[] {
  const fits = pool.noises.flatMap((name) => {
    const noise = parts.noises.get(name);
    return !noise || noise.targets?.(environment).length === 0 ? [] : [noise];
  });
  const count = Math.min(deal(`number of noises, ${kind}`, pool.noisesEach), fits.length);
  const chosen = new Set<(typeof fits)[number]>();
  while (chosen.size < count) chosen.add(deal(`noises in ${environment.name}, ${kind}`, fits));
  const [soonest, latest] = pool.ago;
  const taken = new Set<string>();
  return [...chosen].map((noise) => {
    const possible = noise.targets?.(environment) ?? [];
    const free = possible.filter((one) => !taken.has(one));
    const target = possible.length === 0 ? undefined : rng.pick(free.length > 0 ? free : possible);
    if (target !== undefined) taken.add(target);
    const variant = rng.pick([{}, ...(noise.variants ?? [])]);
    return {
      noise: noise.name,
      ...(target !== undefined && { target }),
      ...(Object.keys(variant).length > 0 && {
        parameters: variant as NonNullable<ProblemNoise["parameters"]>,
      }),
      ago: soonest + rng.int(latest - soonest + 1),
    };
  });
}
