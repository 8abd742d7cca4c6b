import type { Container, PodSpec } from "../pods/pod.types.ts";

const resources = ["cpu", "memory", "ephemeral-storage"];

/** What we ask of our own pods beyond Pod Security: sentences that say which container breaks what. */
export function houseRuleViolations(spec: PodSpec, { runsToItsEnd = false } = {}): string[] {
  return [
    ...(spec.automountServiceAccountToken === false ? [] : ["mounts its account's token"]),
    ...(spec.serviceAccountName === undefined || spec.serviceAccountName === "default"
      ? ["has no account of its own"]
      : []),
    ...spec.containers.flatMap((container) => [
      ...ofEvery(container),
      ...(runsToItsEnd ? [] : ofServers(container)),
    ]),
    ...(spec.initContainers ?? []).flatMap(ofEvery),
  ];
}

function ofEvery(container: Container): string[] {
  const { name, image, securityContext, env = [] } = container;
  const tag = /:([^:/@]+)(@|$)/.exec(image)?.[1];
  const unbounded = (["requests", "limits"] as const).flatMap((side) =>
    resources
      .filter((resource) => container.resources?.[side]?.[resource] === undefined)
      .map((resource) => `${name}: no ${side} of ${resource}`),
  );
  const names = env.map((one) => one.name);
  const early = env.filter(({ value }, index) =>
    [...(value ?? "").matchAll(/\$\((\w+)\)/g)].some(([, used = ""]) => names.indexOf(used) >= index),
  );
  const written = env.filter((one) => /PASSWORD|KEY$|TOKEN|SECRET/.test(one.name) && one.value !== undefined);
  return [
    ...(tag === undefined || tag === "latest" ? [`${name}: image ${image} has no version`] : []),
    ...(securityContext?.readOnlyRootFilesystem === true ? [] : [`${name}: root file system can be written`]),
    ...unbounded,
    ...early.map((one) => `${name}: variable ${one.name} refers to one that comes after it`),
    ...written.map((one) => `${name}: secret ${one.name} is written into the manifest`),
  ];
}

function ofServers(container: Container): string[] {
  const { name, command = [], args = [], env = [] } = container;
  const ownAddress = env.flatMap((one) =>
    one.valueFrom?.fieldRef?.fieldPath === "status.podIP" ? [`$(${one.name})`] : [],
  );
  const settings = [...command, ...args, ...env.flatMap(({ value }) => value ?? [])];
  return [
    ...(["startupProbe", "readinessProbe", "livenessProbe"] as const)
      .filter((probe) => container[probe] === undefined)
      .map((probe) => `${name}: no ${probe}`),
    // A port-forward dials localhost in the pod.
    ...settings
      .filter((setting) => ownAddress.some((address) => setting.includes(address)))
      .map((setting) => `${name}: ${setting} is the pod's address alone`),
  ];
}
