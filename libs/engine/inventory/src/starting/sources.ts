import type { KubeObject } from "@microremed/cluster";
import { isJsonObject, ownNamesOnly } from "@microremed/core";
import type { PodTemplate, TemplateVolume } from "./pod-template.ts";

/** What a ConfigMap or a Secret holds: key -> value; binary data of a ConfigMap in base64. */
export type Data = Readonly<Record<string, string>>;
/** Finds what is held; undefined: it is not there. */
export type Lookup = (kind: "ConfigMap" | "Secret", name: string) => Data | undefined;

/** What a pod needs to start: a ConfigMap or Secret, with one key or all of it, or a claim. */
export interface Need {
  readonly kind: "ConfigMap" | "Secret" | "PersistentVolumeClaim";
  readonly name: string;
  readonly key?: string;
}

/** What an object of data holds. */
export function dataOf(object: KubeObject | undefined): Data | undefined {
  if (!object) return undefined;
  const { data, binaryData } = object as { readonly data?: unknown; readonly binaryData?: unknown };
  const all = {
    ...(isJsonObject(data) && (data as Data)),
    ...(isJsonObject(binaryData) && (binaryData as Data)),
  };
  if (object.kind !== "Secret") return ownNamesOnly(all);
  const plain = (value: string): string => Buffer.from(value, "base64").toString("latin1");
  return ownNamesOnly(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, plain(value)])));
}

interface Files {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly path: string }[] | undefined;
  readonly optional: boolean;
}

function filesIn({ configMap, secret, projected }: TemplateVolume): Files[] {
  const some: Files[] = [];
  if (configMap) some.push({ kind: "ConfigMap", ...configMap, items: configMap.items });
  if (secret) some.push({ kind: "Secret", ...secret, name: secret.secretName, items: secret.items });
  for (const source of projected?.sources ?? []) {
    if (source.configMap)
      some.push({ kind: "ConfigMap", ...source.configMap, items: source.configMap.items });
    if (source.secret) some.push({ kind: "Secret", ...source.secret, items: source.secret.items });
  }
  return some;
}

/** The files that a volume gets from what is held: path -> content. */
export function filesOf(volume: TemplateVolume, lookup: Lookup): ReadonlyMap<string, string> {
  return new Map(
    filesIn(volume).flatMap(({ kind, name, items }): [string, string][] => {
      const data = lookup(kind, name) ?? {};
      if (!items) return Object.entries(data);
      return items.flatMap(({ key, path }): [string, string][] => {
        const content = data[key];
        return content === undefined ? [] : [[path, content]];
      });
    }),
  );
}

interface Reference {
  readonly name: string;
  readonly key?: string;
  readonly optional: boolean;
}

/** What the variables of all containers are read from, whether they must or may be. */
function readByVariables({ initContainers, containers }: Pick<PodTemplate, "initContainers" | "containers">) {
  const read = (kind: "ConfigMap" | "Secret", reference: Reference | undefined) =>
    reference ? [{ ...reference, kind }] : [];
  return [...initContainers, ...containers].flatMap(({ env, envFrom }) => [
    ...env.flatMap(({ valueFrom }) => [
      ...read("ConfigMap", valueFrom?.configMapKeyRef),
      ...read("Secret", valueFrom?.secretKeyRef),
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...read("ConfigMap", configMapRef),
      ...read("Secret", secretRef),
    ]),
  ]);
}

/** Everything without which a pod of a template does not start. */
export function needsOf(template: PodTemplate): Need[] {
  const ofContainers = readByVariables(template)
    .filter(({ optional }) => !optional)
    .map(({ kind, name, key }): Need => ({ kind, name, ...(key !== undefined && { key }) }));
  const ofVolumes = template.volumes.flatMap((volume): Need[] => [
    ...(volume.persistentVolumeClaim
      ? [{ kind: "PersistentVolumeClaim" as const, name: volume.persistentVolumeClaim.claimName }]
      : []),
    ...filesIn(volume)
      .filter(({ optional }) => !optional)
      .flatMap(({ kind, name, items }): Need[] =>
        items ? items.map(({ key }) => ({ kind, name, key })) : [{ kind, name }],
      ),
  ]);
  return [...ofContainers, ...ofVolumes];
}

/** The ConfigMaps and Secrets that a pod of a template reads, whether it must or may: `ConfigMap/name`. */
export function readBySpec(template: PodTemplate): string[] {
  const read = [...readByVariables(template), ...template.volumes.flatMap(filesIn)];
  return [...new Set(read.map(({ kind, name }) => `${kind}/${name}`))];
}
