import type { Place } from "./target.ts";

/** A variable of a container whose value is written out. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The variables of a target's container in their order; undefined: some are taken from elsewhere. */
export function plainVariables({ container }: Place): readonly Variable[] | undefined {
  const all = Object.entries(container.env).map(([name, value]) => ({ name, value }));
  return all.every((one): one is Variable => typeof one.value === "string") ? all : undefined;
}

/** Those in which its program finds the addresses of workloads that it cannot do without. */
export function addressVariables(place: Place): readonly Variable[] {
  const needed = place.workload.calls.flatMap(({ env, required }) =>
    env !== undefined && required ? [env] : [],
  );
  return (plainVariables(place) ?? []).filter(({ name }) => needed.includes(name));
}

/** The first of them, or the one of this name. Throws where there is none. */
export function addressVariable(place: Place, name: string | undefined): Variable {
  const all = addressVariables(place);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (!found) throw new Error(`${place.name} takes no address from ${name ?? "a variable"}`);
  return found;
}
