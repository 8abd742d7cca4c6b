import { createHash } from "node:crypto";
import type { KubeObject } from "@microremed/cluster";
import type { Damage } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import type { Difference } from "./difference.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";

/** What departed from the record right after the injection: identity -> digest. It is the fault's, not the remedy's. */
export type Departures = Readonly<Record<string, string>>;

type Change = Damage["changes"][number];

/** Leaves a trace in the template, and counts as a restart in the disruption. */
const restartMark = "kubectl.kubernetes.io/restartedAt";
const mostFields = 5;
const mostChanges = 100;
/** An object in the record that is not there. */
const absent = "absent";

export function departuresOf({ extra, missing, changed }: Difference): Departures {
  return Object.fromEntries([
    ...extra.map((object) => [identityOf(object), digestOf(object)]),
    ...changed.map(({ live }) => [identityOf(live), digestOf(live)]),
    ...missing.map((object) => [identityOf(object), absent]),
  ]);
}

/**
 * What the remedies left changed: how the arena departs from its record, without what the fault itself had put there
 * and what is as it was right after the injection. A restart's mark in a template is no damage.
 */
export function damageOf(difference: Difference, injected: Departures, target: string): Damage {
  const { extra, missing, changed } = difference;
  const isFaults = (object: KubeObject, digest = digestOf(object)): boolean =>
    injected[identityOf(object)] === digest ||
    (isChaos(object) && injected[identityOf(object)] !== undefined);
  const change = (what: Change["what"], object: KubeObject, detail: string): Change => ({
    where: object.metadata.name === target && isWorkload(object) ? "target" : "arena",
    what,
    object: identityOf(object),
    detail,
  });
  const changes = [
    ...extra.filter((object) => !isFaults(object)).map((object) => change("added", object, "")),
    ...missing.filter((object) => !isFaults(object, absent)).map((object) => change("removed", object, "")),
    ...changed.flatMap(({ recorded, live }) => {
      const fields = changedFields(recorded, normalise(live));
      return fields.length === 0 || isFaults(live) ? [] : [change("changed", recorded, inWords(fields))];
    }),
  ];
  return { changes: changes.slice(0, mostChanges) };
}

/** What is different outside of the arena; who made it so is not known on a cluster that others use too. */
export function damageOutside(before: Departures, now: Departures): Damage["changes"] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((object): Change[] => {
    const [was, is] = [before[object], now[object]];
    if (was === is) return [];
    const what = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ where: "cluster", what, object, detail: "" }];
  });
}

export function digestOf(object: KubeObject): string {
  return createHash("sha256")
    .update(JSON.stringify(normalise(object)))
    .digest("base64url")
    .slice(0, 16);
}

const isChaos = ({ apiVersion = "" }: KubeObject): boolean => apiVersion.startsWith("chaos-mesh.org/");
const isWorkload = ({ kind = "" }: KubeObject): boolean => ["Deployment", "StatefulSet"].includes(kind);

interface ChangedField {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Leaves that differ between two normalised objects, parts of lists by their name where they have one. */
function changedFields(recorded: KubeObject, live: KubeObject): ChangedField[] {
  const before = leavesOf(recorded);
  const now = leavesOf(live);
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter((path) => !path.endsWith(restartMark));
  return paths.flatMap((path) => {
    const [from = "none", to = "none"] = [before.get(path), now.get(path)];
    return from === to ? [] : [{ path, from, to }];
  });
}

function inWords(fields: readonly ChangedField[]): string {
  const shown = fields.slice(0, mostFields).map(({ path, from, to }) => `${path}: ${from} -> ${to}`);
  const more = fields.length > shown.length ? [`and ${fields.length - shown.length} more fields`] : [];
  return [...shown, ...more].join("; ");
}

function leavesOf(value: unknown, path = "", leaves = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      const name = isJsonObject(part) && typeof part["name"] === "string" ? part["name"] : String(index);
      leavesOf(part, `${path}.${name}`, leaves);
    }
  } else if (isJsonObject(value)) {
    for (const [field, part] of Object.entries(value))
      leavesOf(part, path === "" ? field : `${path}.${field}`, leaves);
  } else {
    leaves.set(path, clip(String(value)));
  }
  return leaves;
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);
