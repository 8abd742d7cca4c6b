import { isJsonObject } from "@microremed/core";
import type { ObjectRef } from "../objects/object-ref.ts";

/** A field that was written lately, as `diff_since` has it. */
export interface ChangedField {
  /** Its kind in Kubernetes' words, e.g. Deployment. */
  readonly object: Pick<ObjectRef, "kind" | "name">;
  /** From the object on: `spec.template.spec.containers[server].image`. */
  readonly field: string;
  /** As JSON; null: it was absent, or the change log does not say (`knowsBefore`). */
  readonly was: string | null;
  /** As JSON; null: it is gone. */
  readonly is: string | null;
  /** The log compares it with the revision before: of pod templates alone. */
  readonly knowsBefore: boolean;
}

const kinds: Readonly<Record<string, string>> = {
  deployment: "Deployment",
  statefulset: "StatefulSet",
  daemonset: "DaemonSet",
  service: "Service",
  configmap: "ConfigMap",
  secret: "Secret",
  persistentvolumeclaim: "PersistentVolumeClaim",
  networkpolicy: "NetworkPolicy",
  ingress: "Ingress",
  horizontalpodautoscaler: "HorizontalPodAutoscaler",
  poddisruptionbudget: "PodDisruptionBudget",
  resourcequota: "ResourceQuota",
  limitrange: "LimitRange",
  job: "Job",
  cronjob: "CronJob",
};

const line = /^\d\d:\d\d:\d\d ([a-z]+)\/(\S+) \(([a-z]+)\): (.*)$/gm;
/** Where the next field of a change begins. */
const nextField = /; (?=(?:template|spec|data|binaryData|immutable)[.[:]|(?:template|spec|data)\S* is now )/;

/**
 * The fields that an answer of `diff_since` names, the latest change first, each once: as it was before the first change and
 * as it is after the last one. One that is as it was before is none of them. What was created has the field "".
 */
export function changedFields(text: string): ChangedField[] {
  const writes = Map.groupBy(
    writtenFields(text),
    ({ object: { kind, name }, field, knowsBefore }) => `${kind}/${name} ${field} ${knowsBefore}`,
  );
  return [...writes.values()].flatMap((all) => {
    const [last, first] = [all[0], all.at(-1)];
    if (!last || !first) return [];
    return last.knowsBefore && last.is === first.was ? [] : [{ ...last, was: first.was }];
  });
}

const writtenFields = (text: string): ChangedField[] => writesIn(text).flat();

/** The fields that each write has changed, the latest write first: of a pod template each is a rollout. */
export function writesIn(text: string): ChangedField[][] {
  return [...text.matchAll(line)].map(([, kind = "", name = "", what = "", said = ""]) => {
    const object = { kind: kinds[kind] ?? kind, name };
    if (what === "created") return [{ object, field: "", was: null, is: null, knowsBefore: false }];
    return said.split(nextField).flatMap((part) => {
      const change = readChange(part);
      return change ? amountsOf(change).map((one) => ({ object, ...one })) : [];
    });
  });
}

type Written = Omit<ChangedField, "object">;

/** Amounts of a container that had none before, or has none any more, are written in one change: each is one of its own. */
function amountsOf(change: Written): Written[] {
  if (!/\.resources(\.(limits|requests))?$/.test(change.field)) return [change];
  const [was, is] = [amountsIn(change.was), amountsIn(change.is)];
  if (!was || !is) return [change];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.map((name) => ({
    ...{ ...change, field: `${change.field}.${name}` },
    ...{ was: was.get(name) ?? null, is: is.get(name) ?? null },
  }));
}

/** `requests.memory` and the like, as JSON; undefined: it is no object of amounts. */
function amountsIn(json: string | null): ReadonlyMap<string, string> | undefined {
  if (json === null) return new Map();
  const found = new Map<string, string>();
  const collect = (value: unknown, path: string): void => {
    if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) collect(one, path === "" ? key : `${path}.${key}`);
    else found.set(path, JSON.stringify(value));
  };
  try {
    const whole: unknown = JSON.parse(json);
    if (!isJsonObject(whole)) return undefined;
    collect(whole, "");
  } catch {
    return undefined;
  }
  return found;
}

function readChange(part: string): Omit<ChangedField, "object"> | undefined {
  const [, path, was, is] = /^(template\S*): (.*) -> (.*)$/.exec(part) ?? [];
  if (path !== undefined)
    return { field: `spec.${path}`, was: present(was), is: present(is), knowsBefore: true };
  const [, field, now] = /^((?:spec|data|binaryData|immutable)\S*)(?: is now (.*))?$/.exec(part) ?? [];
  return field === undefined ? undefined : { field, was: null, is: now ?? null, knowsBefore: false };
}

const present = (value: string | undefined): string | null =>
  value === undefined || value === "absent" ? null : value;
