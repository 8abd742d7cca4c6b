import { type Environment, type Fault, type Noise, targetText } from "@microremed/catalogue";

type Known<T> = WeakMap<object, WeakMap<Environment, T>>;

const targets: Known<readonly string[]> = new WeakMap();
const objects: Known<ReadonlyMap<string, readonly string[]>> = new WeakMap();

/** Where a fault can be in an environment, as problems write it, such as `service/cart`. */
export function faultTargetsIn(fault: Pick<Fault, "targets">, environment: Environment): readonly string[] {
  return once(targets, fault, environment, () => fault.targets(environment).map(targetText));
}

/** The workloads of an environment on which a noise can be; none where it is on no workload. */
export function noiseTargetsIn(noise: Pick<Noise, "targets">, environment: Environment): readonly string[] {
  return once(targets, noise, environment, () => [...(noise.targets?.(environment) ?? [])]);
}

/** The declared objects that a noise changes, as `<kind> <name>`, by the workload that it is on. What it makes itself is not among them. */
export function noiseObjectsIn(
  noise: Noise,
  environment: Environment,
): ReadonlyMap<string, readonly string[]> {
  return once(objects, noise, environment, () => {
    const key = (kind: string, name: string): string => `${kind} ${name}`;
    const declared = new Set(
      [...environment.manifests, ...environment.made].map(({ kind, metadata }) => key(kind, metadata.name)),
    );
    const of = (target: string): string[] =>
      noise.decoys({ environment, target }).map(({ kind, name }) => key(kind, name));
    const all = noiseTargetsIn(noise, environment).map(
      (target) => [target, of(target).filter((one) => declared.has(one))] as const,
    );
    return new Map(all);
  });
}

/** Entries never change once they are loaded, and drawing a suite asks each of them thousands of times. */
function once<T extends object>(known: Known<T>, entry: object, environment: Environment, find: () => T): T {
  const ofEntry = known.get(entry) ?? new WeakMap<Environment, T>();
  known.set(entry, ofEntry);
  const found = ofEntry.get(environment) ?? Object.freeze(find());
  ofEntry.set(environment, found);
  return found;
}
