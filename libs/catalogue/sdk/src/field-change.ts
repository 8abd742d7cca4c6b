import type { Kind, KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { withApiDefaults } from "./api-defaults.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { Manifest } from "./environment/manifest.ts";
import { declaredObjects } from "./environment/render-manifests.ts";

/** One field of an object of the environment, and what a fault makes of it. */
export interface FieldChange {
  readonly kind: Kind;
  readonly name: string;
  /** JSON pointer, e.g. `/spec/selector`. Not an item of a list: those before it would move. */
  readonly path: string;
  /** Its value under the fault; undefined: the field is not there. */
  readonly wrong: unknown;
}

/** An operation of a JSON patch (RFC 6902). */
export interface PatchOperation {
  readonly op: "add" | "remove";
  readonly path: string;
  readonly value?: unknown;
}

const rendered = new WeakMap<Environment, readonly Manifest[]>();

/** The object's manifest. Undefined: the environment has none of this kind and name. */
export function manifestOf(
  environment: Environment,
  kind: Pick<Kind, "kind">,
  name: string,
): Manifest | undefined {
  const known = rendered.get(environment) ?? declaredObjects(environment, environment);
  rendered.set(environment, known);
  return known.find((one) => one.kind === kind.kind && one.metadata.name === name);
}

/** The field's value as the environment declares it; undefined: the manifest leaves it out. */
export const rightValue = (
  environment: Environment,
  { kind, name, path }: Pick<FieldChange, "name" | "path"> & { readonly kind: Pick<Kind, "kind"> },
): unknown => valueAt(manifestOf(environment, kind, name), path);

/** The field's value in the running system: as declared, or as the API server fills it in. Undefined: it has none. */
export function runningValue(
  environment: Environment,
  change: Pick<FieldChange, "name" | "path"> & { readonly kind: Pick<Kind, "kind"> },
): unknown {
  const manifest = manifestOf(environment, change.kind, change.name);
  return manifest && valueAt(withApiDefaults(manifest), change.path);
}

/** What a JSON pointer leads to; undefined: nothing. */
export function valueAt(object: unknown, path: string): unknown {
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let value: unknown = object;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isJsonObject(value)) value = value[step];
    else return undefined;
  }
  return value;
}

/** Whether an object has the field as the fault makes it, whatever the API server has added to it. */
export const isWrong = (
  object: KubeObject | undefined,
  { path, wrong }: Omit<FieldChange, "name">,
): boolean => object !== undefined && holds(valueAt(object, path), wrong, path.split("/").at(-1));

/** Lists to which the API server adds items of its own in a pod. */
const growing: ReadonlySet<string> = new Set(["volumeMounts", "volumes", "tolerations"]);

/** Maps to which the API server adds nothing: one more entry makes them mean something else. */
const complete: ReadonlySet<string> = new Set(["selector"]);

/** Whether a value is the wanted one, with whatever fields the API server has added to it. `name`: of its field. */
export function holds(actual: unknown, wanted: unknown, name = ""): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return false;
    const fits = growing.has(name) ? actual.length >= wanted.length : actual.length === wanted.length;
    return fits && wanted.every((item, index) => holds(actual[index], item));
  }
  if (!isJsonObject(wanted)) return actual === wanted || (actual === undefined && isLeftOut(wanted, name));
  if (!isJsonObject(actual)) return false;
  if (complete.has(name) && Object.keys(actual).length !== Object.keys(wanted).length) return false;
  return Object.entries(wanted).every(([key, value]) => holds(actual[key], value, key));
}

/** The API server leaves out what is zero, and the empty value of a variable. */
const isLeftOut = (value: unknown, name: string): boolean =>
  value === 0 || (name === "value" && value === "");

/** The patch that gives a field a value, or takes it away. Empty: it is not there anyway. */
export function setField(current: unknown, path: string, value: unknown): PatchOperation[] {
  if (value !== undefined) return [{ op: "add", path, value }];
  return valueAt(current, path) === undefined ? [] : [{ op: "remove", path }];
}

/** A pointer as people write it: `spec.template.spec.containers[name=web].image`. */
export function fieldText(environment: Environment, { kind, name, path }: FieldChange): string {
  const manifest = manifestOf(environment, kind, name);
  const steps = path.split("/").slice(1);
  const words = steps.map((step, index) => {
    if (!/^\d+$/.test(step)) return index === 0 ? step : `.${step}`;
    const item = valueAt(manifest, `/${steps.slice(0, index + 1).join("/")}`);
    return isJsonObject(item) && typeof item["name"] === "string" ? `[name=${item["name"]}]` : `[${step}]`;
  });
  return words.join("").replaceAll("~1", "/").replaceAll("~0", "~");
}
