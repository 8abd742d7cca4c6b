import type { Environment, WorkloadSpec } from "./environment.types.ts";
import { hasOthersKinds } from "./manifest.ts";

/**
 * ConfigMaps, Secrets, keys and claims without which a workload's containers do not start, and the account. With custom resources,
 * controllers make some.
 */
export function missingNeeds(environment: Environment, workload: WorkloadSpec): string[] {
  const { configMaps, secrets, manifests } = environment;
  if (hasOthersKinds(manifests)) return [];
  const found = new Set<string>();
  const need = (kind: "ConfigMap" | "Secret", name: string, optional?: boolean, key?: string): void => {
    const object = (kind === "Secret" ? secrets : configMaps)[name];
    if (optional || (kind === "ConfigMap" && name === "kube-root-ca.crt")) return;
    if (object === undefined) found.add(`there is no ${kind} ${name}, which it needs; add one`);
    else if (key !== undefined && object[key] === undefined)
      found.add(
        `the ${kind} ${name} has no key ${key}, which it needs; it has ${Object.keys(object).join(", ") || "none"}`,
      );
  };
  for (const { env, envFrom } of [...workload.initContainers, ...workload.containers]) {
    for (const value of Object.values(env)) {
      if (typeof value === "string") continue;
      if ("secretKeyRef" in value)
        need("Secret", value.secretKeyRef.name, value.secretKeyRef.optional, value.secretKeyRef.key);
      if ("configMapKeyRef" in value)
        need(
          "ConfigMap",
          value.configMapKeyRef.name,
          value.configMapKeyRef.optional,
          value.configMapKeyRef.key,
        );
    }
    for (const from of envFrom)
      if ("secret" in from) need("Secret", from.secret, from.optional);
      else need("ConfigMap", from.configMap, from.optional);
  }
  for (const volume of Object.values(workload.volumes)) {
    if (volume.type === "configMap") need("ConfigMap", volume.name, volume.optional);
    if (volume.type === "secret") need("Secret", volume.name, volume.optional);
    if (volume.type === "claim" && !volume.perPod && volume.size === undefined)
      found.add(`there is no PersistentVolumeClaim ${volume.name}, which it needs; add one`);
  }
  return [...found];
}
