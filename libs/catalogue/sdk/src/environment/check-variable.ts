import { likelyNames } from "@microremed/core";
import { dialledAddress } from "./dialled-address.ts";
import type { ContainerSpec, Environment } from "./environment.types.ts";
import type { CallSpec } from "./format.ts";
import { serviceOfHost } from "./service-of-host.ts";
import { variablesFrom } from "./variables-from.ts";

/** That none of the containers has a variable; none: one has it. */
export function isSetIn(
  environment: Environment,
  at: string,
  variable: string,
  containers: readonly ContainerSpec[],
): string[] {
  const names = containers.flatMap((one) => [
    ...Object.keys(one.env),
    ...one.envFrom.flatMap((from) => Object.keys(variablesFrom(from, valuesOf(environment, from)))),
  ]);
  return names.includes(variable)
    ? []
    : [
        `${at}: none of its containers has a variable ${JSON.stringify(variable)}; leave it out, or name another: ${likelyNames(variable, names)}`,
      ];
}

/** A variable of a call in which its program does not find what the call says; none: it does, or only a cluster knows. */
export function checkVariable(
  environment: Environment,
  at: string,
  { env, connectionString, address, discovery }: CallSpec,
  containers: readonly ContainerSpec[],
): string[] {
  const textOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : valueIn(environment, name, containers);
  const [given, login] = [textOf(env), textOf(connectionString)];
  if (env !== undefined && given !== undefined && discovery === "dns") {
    const found = dialledAddress(given, address);
    const right = dialledAddress(address);
    const service = serviceOfHost(environment, found.host);
    if (service === undefined)
      return [
        `${at}.env: expected a variable with an address such as ${address}; no Service is in what ${env} has; correct it in the manifests, name another variable, or leave env out`,
      ];
    if (service !== serviceOfHost(environment, right.host) || found.port !== right.port)
      return [
        `${at}.env: ${env} has the address ${found.host}:${found.port}, not ${address}; correct one of them`,
      ];
  }
  if (connectionString !== undefined && login !== undefined && !hasUser.test(login))
    return [
      `${at}.connectionString: expected a variable with a URL such as postgres://user:password@${address}/name, or a list such as Host=...;Username=...; there is no user in what ${connectionString} has; name another variable, or leave connectionString out`,
    ];
  return [];
}

const hasUser = /^postgres(?:ql)?:\/\/[^:@/]+(?::[^@/]*)?@|(?:^|[;\s])(?:user|username|user id)=[^;\s]/i;

/** What a variable is where a manifest or an object among them says so; undefined: only the cluster knows. */
function valueIn(
  environment: Environment,
  name: string,
  containers: readonly ContainerSpec[],
): string | undefined {
  for (const { env, envFrom } of containers) {
    const own = env[name];
    if (typeof own === "string") return own.includes("$(") ? undefined : own;
    if (own !== undefined) {
      if ("secretKeyRef" in own) return environment.secrets[own.secretKeyRef.name]?.[own.secretKeyRef.key];
      if ("configMapKeyRef" in own)
        return environment.configMaps[own.configMapKeyRef.name]?.[own.configMapKeyRef.key];
      return undefined;
    }
    const all = Object.assign({}, ...envFrom.map((from) => variablesFrom(from, valuesOf(environment, from))));
    if (Object.hasOwn(all, name)) return (all as Record<string, string>)[name];
  }
  return undefined;
}

const valuesOf = (
  { configMaps, secrets }: Environment,
  from: ContainerSpec["envFrom"][number],
): Readonly<Record<string, string>> | undefined =>
  "secret" in from ? secrets[from.secret] : configMaps[from.configMap];
