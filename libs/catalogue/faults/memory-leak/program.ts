import {
  deploymentWithContainer,
  type Environment,
  type KubeObject,
  kinds,
  type Place,
  parseQuantity,
  requestsPerSecond,
  runtimeConfigMap,
  runtimeVariable,
  type TruthContext,
  targetOf,
  type WithParameters,
} from "@microremed/catalogue";

/** KiB that a program keeps in memory of each request, until it ends. */
export const variable = "KEEP_REQUESTS_KIB";
export const nothing = "0";
export const keeping = runtimeVariable(variable, nothing);

export type Where = TruthContext & WithParameters<{ readonly miPerMinute: number }>;

/** Whether a program is one that may keep its requests. */
export const mayKeep = ({ container }: Place): boolean => container.behaviour.keeps === variable;

/** Requests per second that the users' load brings to each pod of a workload. */
const requestsPerPod = (environment: Environment, { name, workload }: Place): number =>
  requestsPerSecond(environment, name) / Math.max(1, workload.replicas);

function placeOf({ environment, target }: TruthContext): Place {
  const place = targetOf(environment, target);
  if (!place) throw new Error(`${environment.name} has no ${target}`);
  return place;
}

/** Value of the variable with which the program grows as fast as is asked for. */
export function keptKib(where: Where): string {
  const perMinute = 60 * requestsPerPod(where.environment, placeOf(where));
  return String(Math.max(1, Math.round((1024 * where.parameters.miPerMinute) / perMinute)));
}

const mebi = 2 ** 20;
/** For how many minutes of growth there is room. */
const roomMinutes = 3;

/** Memory limit of the target, MiB: the leak comes to it after some minutes. */
function limitMi(where: Where): number {
  const { behaviour, resources } = placeOf(where).container;
  const requested = (parseQuantity(resources.requests.memory ?? "") ?? 0) / mebi;
  const room = roomMinutes * where.parameters.miPerMinute;
  return Math.max(Math.ceil(requested), 2 * Math.ceil(behaviour.memoryMi) + room);
}

/** The target with the variable from a ConfigMap and a memory limit, and keeping nothing. */
export function programObjects(where: Where): KubeObject[] {
  const configMap = runtimeConfigMap(where);
  const valueFrom = { configMapKeyRef: { name: configMap, key: variable } };
  return [
    { ...kinds.configMap, metadata: { name: configMap }, data: { [variable]: nothing } },
    deploymentWithContainer(where, ({ env = [], resources }) => ({
      env: [...env, { name: variable, valueFrom }],
      resources: { ...resources, limits: { ...resources?.limits, memory: `${limitMi(where)}Mi` } },
    })),
  ];
}

/** Four times the limit. */
export const higherLimit = (where: Where): string => `${4 * limitMi(where)}Mi`;
