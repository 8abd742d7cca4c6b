import {
  deploymentWithContainer,
  type Environment,
  type FaultContext,
  isLoaded,
  isRolledOut,
  type KubeObject,
  kinds,
  type Place,
  type Pod,
  podsOf,
  type TruthContext,
  targetName,
  targetOf,
} from "@microremed/catalogue";
import { passwordKey, type StoreWithAccounts, stores } from "./stores.ts";

/** How a program logs in to a datastore. */
interface Login {
  /** Workload with the datastore. */
  readonly to: string;
  readonly store: StoreWithAccounts;
  /** The variable with the connection string, and what it holds. */
  readonly name: string;
  readonly declared: string;
}

/** Calls of the workload for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

/** The required login of a program to a datastore with accounts, by a variable of its own; undefined: it has none. */
function loginOf({ workload, container }: Place, { workloads }: Environment): Login | undefined {
  for (const { to, env, connectionString = env, required } of workload.calls) {
    const declared = connectionString === undefined ? undefined : container.env[connectionString];
    const behaviour = workloads[to]?.containers[0]?.behaviour;
    const store = Object.hasOwn(stores, behaviour?.runtime ?? "")
      ? stores[behaviour?.runtime ?? ""]
      : undefined;
    if (required && store && connectionString !== undefined && typeof declared === "string")
      return { to, store, name: connectionString, declared };
  }
  return undefined;
}

/** Why an old password of a workload would not show; undefined: it would. */
export function whyNoTarget(place: Place, environment: Environment): string | undefined {
  if (place.workload.kind !== "Deployment") return `${place.name} is no Deployment`;
  if (!loginOf(place, environment)) return whyNoLogin(place, environment);
  return isLoaded(environment, place.name, leastPerRequest)
    ? undefined
    : `requests of users hardly ever reach ${place.name}`;
}

function whyNoLogin({ name, workload, container }: Place, { workloads }: Environment): string {
  const taken = workload.calls.find(
    ({ to, env, connectionString = env, required }) =>
      required &&
      connectionString !== undefined &&
      typeof container.env[connectionString] !== "string" &&
      Object.hasOwn(stores, workloads[to]?.containers[0]?.behaviour.runtime ?? ""),
  );
  return taken
    ? `${name} takes ${taken.connectionString ?? taken.env}, with which it logs in to ${taken.to}, from another object, and the fault needs one that its first container writes out`
    : `${name} has no datastore to which it logs in with a variable of its own`;
}

type Where = Pick<TruthContext, "environment" | "target">;

/** The login of a target. Throws where it has none. */
export function loginOfTarget({ environment, target }: Where): Login {
  const place = targetOf(environment, target);
  const login = place && loginOf(place, environment);
  if (!login) throw new Error(`${target} of ${environment.name} logs in to no datastore`);
  return login;
}

/** The Secret that has the password. */
export const secretOf = (where: Where): string => `${targetName(where)}-store`;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** What the Secret holds: the password, and the connection string with it under the name of the client's variable. */
export function dataOfSecret(where: Where, user: string, password: string): Record<string, string> {
  const { store, name, declared } = loginOfTarget(where);
  return { [passwordKey]: base64(password), [name]: base64(store.connection(declared, user, password)) };
}

/** A Secret with the login of an account of the target's own, made at the datastore, and read by the target's program. */
export function loginSetting(where: Where, user: string, password: string): KubeObject[] {
  const { to, store, name } = loginOfTarget(where);
  const secret = secretOf(where);
  const from = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name: secret, key } } });
  const given = store.args(user);
  return [
    {
      ...kinds.secret,
      metadata: { name: secret },
      type: "Opaque",
      data: dataOfSecret(where, user, password),
    },
    ...store.objects(where.environment, user),
    deploymentWithContainer({ ...where, target: to }, ({ env = [], args = [] }) => ({
      env: [...env, from(passwordKey)],
      ...(given.length > 0 && { args: [...args, ...given] }),
    })),
    deploymentWithContainer(where, ({ env = [] }) => ({
      env: env.map((one) => ("name" in one && one.name === name ? from(name) : one)),
    })),
  ];
}

/** Runs a script in the datastore's container; false: it failed. */
export async function inStore(context: FaultContext, script: string): Promise<boolean> {
  const { cluster, namespace, environment } = context;
  const { to } = loginOfTarget(context);
  const container = environment.workloads[to]?.containers[0]?.name ?? "";
  const [pod] = (await podsOf(context, to)).filter(({ metadata }) => !metadata.deletionTimestamp);
  if (!pod) return false;
  const where = { namespace, pod: pod.metadata.name, container, timeoutMs: 20_000 };
  return (await cluster.exec({ ...where, command: ["sh", "-c", script] })).exitCode === 0;
}

/** The password in the Secret, as it is now. */
export async function passwordInSecret(context: FaultContext): Promise<string | undefined> {
  const secret = await context.cluster.get(kinds.secret, context.namespace, secretOf(context));
  const data = secret?.["data"] as Readonly<Record<string, string>> | undefined;
  return data?.[passwordKey] === undefined ? undefined : Buffer.from(data[passwordKey], "base64").toString();
}

/**
 * Whether the datastore lets in the target with what the Secret has and all run as they are declared. An injection that was broken
 * off has left another password at the datastore.
 */
export async function isLetIn(context: FaultContext, user: string): Promise<boolean> {
  const { to, store } = loginOfTarget(context);
  const password = await passwordInSecret(context);
  if (password === undefined || !(await isRolledOut(context, to))) return false;
  if (!(await inStore(context, store.check(user, password))))
    return (await inStore(context, store.set(user, password))) && false;
  return await isRolledOut(context, targetOf(context.environment, context.target)?.name ?? "");
}

/** Names of the target's pods that started before the Secret was last written. */
export async function stalePods(context: FaultContext): Promise<string[]> {
  const secret = await context.cluster.get(kinds.secret, context.namespace, secretOf(context));
  const { managedFields = [] } = (secret?.metadata ?? {}) as {
    readonly managedFields?: readonly { readonly time?: string; readonly operation?: string }[];
  };
  const written = Math.max(
    0,
    ...managedFields
      .filter(({ operation }) => operation === "Update")
      .map(({ time = "" }) => Date.parse(time)),
  );
  const container = targetOf(context.environment, context.target)?.container.name;
  return (await podsOf(context)).flatMap(({ metadata, status }) =>
    metadata.deletionTimestamp === undefined && startOf(status, container) < written ? [metadata.name] : [],
  );
}

/** When a container has started, ms; one that does not run has read nothing old. */
function startOf(status: Pod["status"], container: string | undefined): number {
  const found = status?.containerStatuses?.find(({ name }) => name === container);
  const at = Date.parse(found?.state?.running?.startedAt ?? "");
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at;
}
