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

const neededVariables = ({ workload }: Place): readonly string[] =>
  workload.calls.flatMap(({ env, required }) => (env !== undefined && required ? [env] : []));

/** Those in which its program finds the addresses of workloads that it cannot do without. */
export function addressVariables(place: Place): readonly Variable[] {
  const needed = neededVariables(place);
  return (plainVariables(place) ?? []).filter(({ name }) => needed.includes(name));
}

/** Which fault acts on the object instead. */
const ofObject = (isConfigMap: boolean): string =>
  isConfigMap ? "; configmap-deleted acts on the ConfigMap itself" : "";

/** Why there is none: of variables that a container does not write out, faults of its variables can hit none. */
export function noAddressVariable(place: Place): string {
  const { name, container } = place;
  const [variable] = neededVariables(place);
  if (variable === undefined) return `${name} makes no call that it needs and that has a variable (env)`;
  const own = container.env[variable];
  if (own === undefined)
    return container.envFrom.length > 0
      ? `${name} takes ${variable} from a whole object (envFrom), and the fault is in variables that a container writes out${ofObject(container.envFrom.some((one) => "configMap" in one))}`
      : `the first container of ${name} has no variable ${variable}`;
  const taken = typeof own === "string" ? "other variables" : variable;
  const isConfigMap = typeof own === "object" && "configMapKeyRef" in own;
  return `${name} takes ${taken} from another object (valueFrom), and the fault is in variables that are all written out${ofObject(isConfigMap)}`;
}

/** The first of them, or the one of this name. Throws where there is none. */
export function addressVariable(place: Place, name: string | undefined): Variable {
  const all = addressVariables(place);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (!found) throw new Error(`${place.name} takes no address from ${name ?? "a variable"}`);
  return found;
}
