import {
  forbidden,
  formatQuantity,
  isRecord,
  type Loose,
  type NewObject,
  parseQuantity,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { amountOf, podAmount, type Side } from "./pod-resources.ts";

const limitRanges: ResourceRef = { group: "", resource: "limitranges" };
const annotation = "kubernetes.io/limit-ranger";

const itemsIn = (store: Store, namespace: string | undefined): readonly Loose[] =>
  store.list(limitRanges, namespace).flatMap(({ spec }) => spec?.limits ?? []);

/** Fills in what containers leave open; the annotation says what was. */
export function withLimitDefaults(store: Store, pod: NewObject): NewObject {
  const items = itemsIn(store, pod.metadata.namespace).filter(({ type }) => type === "Container");
  if (items.length === 0) return pod;
  const notes: string[] = [];
  const fill = (container: Loose, side: Side, defaults: Loose): Loose => {
    const own: Loose = container.resources?.[side] ?? {};
    const missing = Object.keys(defaults ?? {}).filter((name) => own[name] === undefined);
    if (missing.length === 0) return container;
    notes.push(`${missing.sort().join(", ")} ${side === "limits" ? "limit" : "request"}`);
    const added = Object.fromEntries(missing.map((name) => [name, defaults[name]]));
    return { ...container, resources: { ...container.resources, [side]: { ...own, ...added } } };
  };
  const changed = (list: Loose, kind: string): Loose =>
    list?.map((container: Loose) => {
      const before = notes.length;
      const filled = items.reduce(
        (each, item) => fill(fill(each, "requests", item.defaultRequest), "limits", item.default),
        container,
      );
      for (let at = before; at < notes.length; at += 1) notes[at] += ` for ${kind} ${container.name}`;
      return filled;
    });
  const { containers, initContainers, ...spec } = pod.spec;
  const filled = {
    ...spec,
    containers: changed(containers, "container"),
    ...(initContainers && { initContainers: changed(initContainers, "init container") }),
  };
  if (notes.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join("; ")}`,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec: filled };
}

interface Measured {
  /** As the messages print it; undefined: not given. */
  readonly text: string | undefined;
  readonly value: number;
}

function boundErrors(item: Loose, measure: (side: Side, resource: string) => Measured): string[] {
  const { type } = item;
  const errors: string[] = [];
  for (const [resource, bound] of Object.entries(item.min ?? {})) {
    const what = `minimum ${resource} usage per ${type} is ${bound}`;
    const least = parseQuantity(bound) ?? 0;
    const request = measure("requests", resource);
    const limit = measure("limits", resource);
    if (request.text === undefined) errors.push(`${what}.  No request is specified`);
    else if (request.value < least) errors.push(`${what}, but request is ${request.text}`);
    if (limit.text !== undefined && limit.value < least) errors.push(`${what}, but limit is ${limit.text}`);
  }
  for (const [resource, bound] of Object.entries(item.max ?? {})) {
    const what = `maximum ${resource} usage per ${type} is ${bound}`;
    const most = parseQuantity(bound) ?? 0;
    const request = measure("requests", resource);
    const limit = measure("limits", resource);
    // Claims have requests only.
    if (type === "PersistentVolumeClaim") {
      if (request.value > most) errors.push(`${what}, but request is ${request.text}`);
      continue;
    }
    if (limit.text === undefined) errors.push(`${what}.  No limit is specified`);
    else if (limit.value > most) errors.push(`${what}, but limit is ${limit.text}`);
    if (request.text !== undefined && request.value > most) {
      errors.push(`${what}, but request is ${request.text}`);
    }
  }
  for (const [resource, bound] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    const what = `${resource} max limit to request ratio per ${type} is ${bound}`;
    const request = measure("requests", resource);
    const limit = measure("limits", resource);
    const most = parseQuantity(bound) ?? 0;
    if (!request.value) errors.push(`${what}, but no request is specified or request is 0`);
    else if (!limit.value) errors.push(`${what}, but no limit is specified or limit is 0`);
    else if (limit.value / request.value > most) {
      errors.push(`${what}, but provided ratio is ${(limit.value / request.value).toFixed(6)}`);
    }
  }
  return errors;
}

function ofContainer(container: Loose): (side: Side, resource: string) => Measured {
  return (side, resource) => ({
    text: container.resources?.[side]?.[resource],
    value: amountOf(container, side, resource) ?? 0,
  });
}

function ofPod(spec: Loose): (side: Side, resource: string) => Measured {
  const containers: readonly Loose[] = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return (side, resource) => {
    const given = containers
      .map((each) => each.resources?.[side]?.[resource])
      .find((text) => text !== undefined);
    const value = podAmount(spec, side, resource);
    return { text: given === undefined ? undefined : formatQuantity(value, String(given)), value };
  };
}

/** Throws 403 with everything in which a pod or claim breaks its namespace's limit ranges. */
export function checkLimitRanges(store: Store, ref: ResourceRef, object: NewObject): void {
  const { spec } = object;
  const { namespace, name = "", generateName } = object.metadata;
  if (!isRecord(spec)) return;
  const errors = itemsIn(store, namespace).flatMap((item) => {
    if (qualified(ref) === "persistentvolumeclaims") {
      return item.type === "PersistentVolumeClaim" ? boundErrors(item, ofContainer(spec)) : [];
    }
    if (item.type === "Pod") return boundErrors(item, ofPod(spec));
    if (item.type !== "Container") return [];
    const containers: readonly Loose[] = [...(spec["containers"] ?? []), ...(spec["initContainers"] ?? [])];
    return containers.flatMap((container) => boundErrors(item, ofContainer(container)));
  });
  if (errors.length === 0) return;
  const why = errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`;
  throw forbidden(ref, name || (generateName ?? ""), why);
}
