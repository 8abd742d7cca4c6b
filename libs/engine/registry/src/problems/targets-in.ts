import { type Environment, type Fault, type Noise, targetText } from "@microremed/catalogue";

type Targets = WeakMap<Environment, readonly string[]>;

const known = new WeakMap<object, Targets>();

/** Where a fault can be in an environment, as problems write it, such as `service/cart`. */
export function faultTargetsIn(fault: Pick<Fault, "targets">, environment: Environment): readonly string[] {
  return once(fault, environment, () => fault.targets(environment).map(targetText));
}

/** The workloads of an environment on which a noise can be; none where it is on no workload. */
export function noiseTargetsIn(noise: Pick<Noise, "targets">, environment: Environment): readonly string[] {
  return once(noise, environment, () => [...(noise.targets?.(environment) ?? [])]);
}

/** Entries never change once they are loaded, and drawing a suite asks each of them thousands of times. */
function once(entry: object, environment: Environment, find: () => readonly string[]): readonly string[] {
  const ofEntry: Targets = known.get(entry) ?? new WeakMap();
  known.set(entry, ofEntry);
  const targets = ofEntry.get(environment) ?? Object.freeze(find());
  ofEntry.set(environment, targets);
  return targets;
}
