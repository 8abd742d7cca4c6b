import type {
  Environment,
  Fault,
  IncidentFault,
  IncidentShape,
  ProblemFormat,
  ProblemPool,
} from "@microremed/catalogue";
import { loadOf, shownBy, targetName } from "@microremed/catalogue";
import { createRng, type Rng } from "@microremed/core";
import { createBags, type Deal, shuffled } from "./create-bags.ts";
import { drawNoises } from "./draw-noises.ts";
import { drawStandIns } from "./draw-stand-ins.ts";
import { endedByPodsOf } from "./like-faults.ts";
import type { MadeProblem } from "./made-problem.ts";
import { inOrder, type TimedFault } from "./noise-order.ts";
import { instant, timesOf } from "./noise-times.ts";
import type { Pool } from "./pool.ts";
import type { ProblemParts } from "./problem-issues.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** How often a further fault of an incident is drawn until one fits the others. */
const mostTries = 100;

/** A drawn problem without a name. */
type Nameless = Omit<MadeProblem, "format"> & { readonly format: Omit<ProblemFormat, "id"> };

/** A pool with what its incidents are drawn from, and all around them. */
interface Draws extends Omit<Pool, "deal"> {
  readonly own: Source;
  readonly around: Source;
}

/** Where a pool's draws come from: bags for what is dealt, and numbers for the rest. */
interface Source {
  readonly deal: Deal;
  readonly rng: Rng;
}

const sourceOf = (rng: Rng): Source => ({ deal: createBags(rng.fork("bags")), rng });

/**
 * The problems of all pools of a suite, in a drawn order, called `<environment>-<task>-<number>`: neither order nor name
 * says what is wrong. The suite's name with its version is the seed. With a `seed`, what is around the incidents, such as noises,
 * loads and times, is drawn from that instead: else a public suite could be looked up by it. Names that are not in the
 * catalogue make no problem: they are reported by others.
 */
export function drawPools(
  suite: string,
  pools: readonly ProblemPool[],
  parts: ProblemParts,
  usual: readonly string[] = [],
  seed?: number,
): MadeProblem[] {
  const drawn = pools.flatMap((pool, i) => {
    const own = sourceOf(createRng(suite, `pool ${i}`));
    const around = seed === undefined ? own : sourceOf(createRng(seed, `pool ${i} of ${suite}`));
    const environments = pool.environments.flatMap((name) => parts.environments.get(name) ?? []);
    const field = `pools[${i}]`;
    return environments.flatMap((environment) =>
      (pool.tasks ?? usual).flatMap((task) =>
        Array.from({ length: pool.each }, (_, n) => {
          const at = ({ deal, rng }: Source): Source => ({
            deal,
            rng: rng.fork(`${environment.name} ${task} ${n}`),
          });
          const from = { pool, field, parts, own: at(own), around: at(around) };
          return drawOne(from, environment, task, n < pool.healthy);
        }).flat(),
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

/**
 * Empty: no fault of the pool fits the environment. Where nothing is wrong, an incident is drawn all the same: what is
 * harmless is where and when that would be.
 */
function drawOne(
  { own, around, ...from }: Draws,
  environment: Environment,
  task: string,
  isHealthy: boolean,
): Nameless[] {
  const { pool, field } = from;
  const kind = isHealthy ? "healthy" : "faulty";
  // One that is not there is part of what is around: what is in its place would be known.
  const { deal, rng: ofIncident } = isHealthy ? around : own;
  const incident = drawIncident({ ...from, deal: dealFor(deal, kind) }, environment, task, ofIncident);
  if (incident === undefined && !isHealthy) return [];
  const faults = incident?.faults ?? [];
  const { rng } = around;
  const beside = { ...from, deal: dealFor(around.deal, kind) };
  const workload = loadOf(beside.deal("loads", pool.loads));
  const { information, limits, watch, heldOut } = pool;
  const isWatch = from.parts.watches.has(task);
  const times = timesOf(beside, faults, isWatch, rng.fork("times"));
  const unseen = faults.filter(
    ({ fault, target }) => isHealthy || !shownBy(from.parts.faults.get(fault), environment, target),
  );
  const inPlace = { incident: faults, faults: unseen, isHealthy, isWatch };
  const standIns = drawStandIns(beside, environment, inPlace, times, rng.fork("stand-ins"));
  const noises = drawNoises(
    { ...beside, task, isHealthy },
    environment,
    faults,
    standIns,
    times,
    rng.fork("noises"),
  );
  const drawn = { askedAfter: times.askedAfter, noises: [...standIns, ...noises] };
  const order =
    isHealthy || isWatch
      ? drawn
      : inOrder(times, timedFaults(faults, from.parts, environment), drawn.noises, rng.fork("order"));
  return [
    {
      format: {
        environment: environment.name,
        incident: isHealthy ? [] : faults,
        tasks: [task],
        ...(information && { information }),
        ...(limits && { limits }),
        ...(watch && { watch }),
        ...(heldOut && { heldOut }),
        ...(workload && { workload }),
        ...(!isWatch && { askedAfter: order.askedAfter + (isHealthy ? times.span + instant : 0) }),
        noise: [...order.noises],
      },
      written: {
        "": field,
        tasks: pool.tasks ? `${field}.tasks` : "defaults.tasks",
        workload: `${field}.loads`,
        noise: `${field}.noises`,
        askedAfter: `${field}.ago`,
        ...(isHealthy ? {} : incident?.written),
      },
    },
  ];
}

function timedFaults(
  faults: readonly IncidentFault[],
  parts: ProblemParts,
  environment: Environment,
): TimedFault[] {
  return faults.map((one) => {
    const ending = endedByPodsOf([one], parts, environment);
    const on = targetName({ environment, target: one.target });
    return {
      isShown: shownBy(parts.faults.get(one.fault), environment, one.target) !== undefined,
      isFirst: (workload) => workload === on || ending.has(workload),
    };
  });
}

/** Healthy problems and faulty ones have the same frequencies, each for itself. */
const dealFor =
  (deal: Deal, kind: string): Deal =>
  (name, items) =>
    deal(`${name}, ${kind}`, items);

interface DrawnIncident {
  readonly faults: IncidentFault[];
  readonly written: Record<string, string>;
}

/** Undefined: no fault of the pool fits the environment. */
function drawIncident(
  from: Pool,
  environment: Environment,
  task: string,
  rng: Rng,
): DrawnIncident | undefined {
  const { pool, field, deal } = from;
  const groups = groupsIn(from, environment);
  if (groups.length === 0) return undefined;
  const number = deal("incidents", [...pool.incidents.keys()]);
  const shape = pool.incidents[number] as IncidentShape;
  const faults: IncidentFault[] = [];
  const written: Record<string, string> = {};
  for (let i = 0; i < shape.faults; i++) {
    const drawn = drawFault(from, { environment, task, groups }, faults, rng.fork(`fault ${i}`));
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
  return faults.length > 0 ? { faults, written } : undefined;
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
        .filter((fault) => faultTargetsIn(fault, environment).length > 0),
    }))
    .filter(({ faults }) => faults.length > 0);
}

/** Whether an expert could do the task: what no tool shows cannot be found, nor repaired what nothing in the cluster says. */
const canBeDone = ({ withoutEvidence, withoutRunbook }: Fault, isRepair: boolean): boolean =>
  withoutEvidence === undefined && !(isRepair && withoutRunbook !== undefined);

interface DrawnFor {
  readonly environment: Environment;
  readonly task: string;
  readonly groups: readonly Group[];
}

/** One fault beside those before it, each on a workload of its own. Undefined: none was found. */
function drawFault(
  { pool, parts, deal }: Pool,
  { environment, task, groups }: DrawnFor,
  before: readonly IncidentFault[],
  rng: Rng,
) {
  const workloadOf = (target: string): string => targetName({ environment, target });
  const taken = new Set(before.map(({ target }) => workloadOf(target)));
  for (let i = 0; i < mostTries; i++) {
    const { name, faults } = deal(`groups in ${environment.name}`, groups);
    const fault = deal(`${name} in ${environment.name}`, faults);
    if (!canBeDone(fault, parts.repairs.has(task))) continue;
    if (!fault.canRepeat && before.some((one) => one.fault === fault.name)) continue;
    const free = faultTargetsIn(fault, environment).filter((target) => !taken.has(workloadOf(target)));
    if (free.length === 0) continue;
    const sets = Object.hasOwn(pool.parameters, fault.name) ? (pool.parameters[fault.name] ?? [{}]) : [{}];
    const set = deal(`parameters of ${fault.name}`, [...sets.keys()]);
    const values = sets[set] ?? {};
    const parameters = Object.keys(values).length > 0 ? values : undefined;
    // Else one workload could have most faults of a small system, which is known to who knows the suite.
    const place = deal(`places in ${environment.name}`, Object.keys(environment.workloads));
    const there = free.filter((target) => workloadOf(target) === place);
    const target = rng.pick(there.length > 0 ? there : free);
    return { fault: fault.name, target, parameters, set };
  }
  return undefined;
}
