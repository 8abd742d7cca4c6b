import type {
  Environment,
  Fault,
  IncidentFault,
  IncidentShape,
  Noise,
  ProblemFormat,
  ProblemNoise,
  ProblemPool,
} from "@microremed/catalogue";
import { drawnParameters, isSameField, loadOf, targetOf } from "@microremed/catalogue";
import { Watch } from "@microremed/contracts";
import { createRng, type Rng } from "@microremed/core";
import { createBags, type Deal, shuffled } from "./create-bags.ts";
import type { MadeProblem } from "./made-problem.ts";
import type { ProblemParts } from "./problem-issues.ts";
import { faultTargetsIn, noiseTargetsIn } from "./targets-in.ts";

/** How often a further fault of an incident is drawn until one fits the others. */
const mostTries = 100;

/** A noise that is no time at all after the first fault counts as before it, s. */
const instant = 1;

/** A drawn problem without a name. */
type Nameless = Omit<MadeProblem, "format"> & { readonly format: Omit<ProblemFormat, "id"> };

interface Pool {
  readonly pool: ProblemPool;
  /** `pools[<number>]`. */
  readonly field: string;
  readonly parts: ProblemParts;
  readonly deal: Deal;
}

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
  const unseen = isHealthy ? faults : faults.filter(isUnseenIn(from.parts, environment));
  const standIns = drawStandIns(beside, environment, unseen, times, rng.fork("stand-ins"));
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
        ...(!isWatch && { askedAfter: times.askedAfter + (isHealthy ? times.span + instant : 0) }),
        noise: [
          ...standIns,
          ...drawNoises({ ...beside, task }, environment, faults, standIns, times, rng.fork("noises")),
        ],
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
  const workloadOf = (target: string): string => targetOf(environment, target)?.name ?? target;
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
    return { fault: fault.name, target: rng.pick(free), parameters, set };
  }
  return undefined;
}

/** When noises may come, s from the first fault to them: `drawn` is as long ago as anything, `earlier` is before any fault. */
interface Times {
  /** From the last fault to the question. */
  readonly askedAfter: number;
  /** From the first fault to the last one. */
  readonly span: number;
  drawn(): number;
  earlier(): number;
  /** When a fault would be that comes so long after the first one. */
  ofFault(at: number): number;
}

/**
 * What is harmless is as long ago as the last fault when the agent is asked, earlier or later. In a watch noises come at any
 * time of it, and what is in the place of a fault in the first third of a window, as a fault does.
 */
function timesOf({ pool }: Pool, faults: readonly IncidentFault[], isWatch: boolean, rng: Rng): Times {
  const [soonest, latest] = pool.ago;
  const within = (from: number, to: number): number => from + rng.int(Math.max(0, to - from) + 1);
  const age = (): number => within(soonest, latest);
  if (isWatch) {
    const { windows, windowSeconds } = pool.watch ?? Watch.parse({});
    return {
      ...{ askedAfter: 0, span: 0 },
      drawn: () => -within(1, windows * windowSeconds - 1),
      earlier: age,
      ofFault: () => -(rng.int(windows) * windowSeconds + within(1, Math.floor(windowSeconds / 3))),
    };
  }
  const askedAfter = age();
  const span = faults.reduce(
    (last, { at, after }) => (after === undefined ? Math.max(last, at) : last + at),
    0,
  );
  return {
    ...{ askedAfter, span },
    drawn: () => age() - askedAfter - span,
    earlier: () => within(0, latest - askedAfter - span),
    ofFault: (at) => -at - instant,
  };
}

/**
 * Noises in the places of faults: where a change log would show the fault, one that changes the same field, on the same workload if it
 * may be there. In the place of any other fault any of them, elsewhere, for there it could end a fault. So no field is changed more
 * often where something is wrong, and what is harmless is as much beside a fault that no change log shows as where nothing is wrong.
 */
function drawStandIns(
  { pool, parts, deal }: Pool,
  environment: Environment,
  faults: readonly IncidentFault[],
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const all = noisesThatFit(pool.standIns, parts, environment);
  if (all.length === 0) return [];
  return faults.flatMap(({ fault, target, at }) => {
    const changed = changedByFault(parts.faults.get(fault), environment, target);
    const place = targetOf(environment, target)?.name ?? target;
    const placesOf = (noise: Noise): readonly string[] => {
      const possible = noiseTargetsIn(noise, environment);
      if (changed === undefined) return possible.filter((one) => one !== place);
      return possible.includes(place) ? [place] : possible;
    };
    const some = changed ? twinsOf(changed, all, environment, place) : all.filter(canBe(placesOf));
    if (some.length === 0) return [];
    const noise = deal(`stand-ins ${some.map(({ name }) => name)} in ${environment.name}`, some);
    const possible = placesOf(noise);
    const on = possible.length > 0 ? rng.pick(possible) : undefined;
    return [noiseOf(noise, environment, on, times.ofFault(at), rng)];
  });
}

/** Whether a noise has a place among those, or needs none. */
const canBe =
  (placesOf: (noise: Noise) => readonly string[]) =>
  (noise: Noise): boolean =>
    noise.targets === undefined || placesOf(noise).length > 0;

/** The noises that are most like a change: of the same field, at the same place, of the same kind of object, or any. */
function twinsOf(
  changed: ChangedField,
  all: readonly Noise[],
  environment: Environment,
  place: string,
): readonly Noise[] {
  const isThere = (noise: Noise): boolean => noiseTargetsIn(noise, environment).includes(place);
  const alike = all.filter((noise) => changesKind(noise, environment, changed.kind));
  const twins = alike.filter(({ changes = [] }) =>
    changes.some((field) => isSameField(field, changed.field)),
  );
  const choices = [twins.filter(isThere), twins, alike.filter(isThere), alike, all];
  return choices.find(({ length }) => length > 0) ?? [];
}

interface ChangedField {
  readonly kind: string;
  readonly field: string;
}

/** Whether a change log shows nothing of a fault: its object is one that agents do not see, or it is inside a program. */
const isUnseenIn =
  (parts: ProblemParts, environment: Environment) =>
  ({ fault, target }: IncidentFault): boolean => {
    const found = parts.faults.get(fault);
    if (!found) return false;
    const [object] = found.truth({ environment, target }).objects;
    return found.cause !== undefined || !object || (object.field === "" && isWorkloadKind(object.kind));
  };

const isWorkloadKind = (kind: string): boolean => ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);

/** The first field that a fault changes for all to see; undefined: it changes none, or deletes the object. */
function changedByFault(
  fault: Fault | undefined,
  environment: Environment,
  target: string,
): ChangedField | undefined {
  if (!fault || fault.cause) return undefined;
  const [object] = fault.truth({ environment, target }).objects;
  return object === undefined || object.field === "" ? undefined : object;
}

/** Whether a noise changes an object of that kind. */
function changesKind(noise: Noise, environment: Environment, kind: string): boolean {
  const [target = ""] = noiseTargetsIn(noise, environment);
  return noise.decoys({ environment, target }).some((one) => one.kind === kind);
}

function noisesThatFit(
  names: readonly string[],
  { noises }: ProblemParts,
  environment: Environment,
): Noise[] {
  return names.flatMap((name) => {
    const noise = noises.get(name);
    return !noise || (noise.targets && noiseTargetsIn(noise, environment).length === 0) ? [] : [noise];
  });
}

function noiseOf(
  noise: Noise,
  environment: Environment,
  target: string | undefined,
  ago: number,
  rng: Rng,
): ProblemNoise {
  const parameters = drawnForNoise(
    noise,
    environment,
    target,
    undefined,
    rng.fork(`values of ${noise.name}`),
  );
  return {
    noise: noise.name,
    ...(target !== undefined && { target }),
    ...(parameters && { parameters }),
    ago,
  };
}

/** Of what is beside the system the names are as if it belonged to one of its workloads. */
export function drawnForNoise(
  noise: Pick<Noise, "drawn">,
  environment: Environment,
  target: string | undefined,
  given: ProblemNoise["parameters"],
  rng: Rng,
): ProblemNoise["parameters"] {
  const near = target ?? rng.pick(Object.keys(environment.workloads));
  return drawnParameters(noise, { environment, target: near }, given, rng);
}

/**
 * Different noises, on workloads that are drawn as another incident's would be: a workload with many faults, as one that keeps
 * data, has as many noises. The places of the faults are not regarded, so that those of noises predict nothing. Where a fault is, or
 * would be, a noise comes before it: it could end it.
 */
function drawNoises(
  { pool, parts, deal, task }: Pool & { readonly task: string },
  environment: Environment,
  faults: readonly IncidentFault[],
  standIns: readonly ProblemNoise[],
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const taken = new Set(standIns.map(({ noise }) => noise));
  const all = noisesThatFit(pool.noises, parts, environment);
  const left = () => all.filter(({ name }) => !taken.has(name));
  const count = Math.min(deal("number of noises", pool.noisesEach), left().length);
  const failed = new Set(faults.map(({ target }) => targetOf(environment, target)?.name ?? target));
  const places = placesOfFaults({ pool, parts }, environment);
  const drawn: ProblemNoise[] = [];
  const place = (noise: Noise, target: string | undefined): void => {
    taken.add(noise.name);
    const ago = times.drawn();
    const isTooLate = ago < 0 && target !== undefined && failed.has(target);
    drawn.push(noiseOf(noise, environment, target, isTooLate ? times.earlier() : ago, rng));
  };
  const changing = new Set(pool.standIns);
  for (const on of parts.watches.has(task) ? [] : twoPlaces(places, environment, rng.fork("changes"))) {
    const some = left().filter(
      (noise) => changing.has(noise.name) && noiseTargetsIn(noise, environment).includes(on),
    );
    if (some.length > 0) place(rng.pick(some), on);
  }
  while (drawn.length < count) {
    const dealt = deal(`noises in ${environment.name}`, all);
    // One that is there already is passed over: a bag has the others next.
    if (taken.has(dealt.name)) continue;
    place(...placed(dealt, left(), places, environment, rng.fork(`noise ${drawn.length}`)));
  }
  return drawn;
}

type Places = readonly (readonly (readonly string[])[])[];

const placeFrom = (places: Places, rng: Rng): string => rng.pick(rng.pick(rng.pick(places)));

/**
 * Two different workloads, if possible from those on which faults change something: one at least is not where the fault is, so that
 * what was changed does not say where it is, and an agent that restores everything undoes what others have changed there.
 */
function twoPlaces(places: Places, { workloads }: Environment, rng: Rng): string[] {
  const all = Object.keys(workloads);
  const drawn = (): string => (places.length > 0 ? placeFrom(places, rng) : rng.pick(all));
  const first = drawn();
  for (let i = 0; i < mostTries; i++) {
    const second = drawn();
    if (second !== first) return [first, second];
  }
  const others = all.filter((name) => name !== first);
  return [first, ...(others.length > 0 ? [rng.pick(others)] : [])];
}

/** Names of the workloads on which faults of a pool change something for all to see: by group, and by fault. */
function placesOfFaults(
  { pool, parts }: Pick<Pool, "pool" | "parts">,
  environment: Environment,
): string[][][] {
  const namesOf = (targets: readonly string[]): string[] =>
    targets.flatMap((target) => targetOf(environment, target)?.name ?? []);
  return Object.values(pool.faults)
    .map((names) =>
      names.flatMap((name) => {
        const fault = parts.faults.get(name);
        const workloads = fault && !fault.cause ? namesOf(faultTargetsIn(fault, environment)) : [];
        return workloads.length > 0 ? [workloads] : [];
      }),
    )
    .filter(({ length }) => length > 0);
}

/** A noise and where it is: the one that was dealt, or another one where that cannot be. */
function placed(
  dealt: Noise,
  left: readonly Noise[],
  places: Places,
  environment: Environment,
  rng: Rng,
): [Noise, string | undefined] {
  const possible = noiseTargetsIn(dealt, environment);
  if (possible.length === 0) return [dealt, undefined];
  if (places.length === 0) return [dealt, rng.pick(possible)];
  const place = placeFrom(places, rng);
  if (possible.includes(place)) return [dealt, place];
  const others = left.filter((noise) => noiseTargetsIn(noise, environment).includes(place));
  return others.length > 0 ? [rng.pick(others), place] : [dealt, rng.pick(possible)];
}
