import type { KubeObject } from "@microremed/cluster";
import { isJsonObject, parseJson } from "@microremed/core";
import { sortKeys } from "./normalise.ts";

/** `kubectl rollout restart` leaves it in the template; it counts as a restart in the disruption. */
const restartMark = JSON.stringify([
  ...["spec", "template", "metadata", "annotations"],
  "kubectl.kubernetes.io/restartedAt",
]);
const mostFields = 5;

/** One leaf that differs between the record and the arena. */
export interface Field {
  /** Names of fields; a part of a list by its `name`, `mountPath` or number. */
  readonly path: readonly string[];
  /** Undefined: it was not there. */
  readonly from: string | undefined;
  /** Undefined: it is not there any more. */
  readonly to: string | undefined;
}

/** A path in one word, as keys and messages have it. */
export const pathText = ({ path }: Pick<Field, "path">): string => path.join(".");

/**
 * Leaves that differ between two normalised objects, but for the mark of a restart, and for files of JSON that are written in
 * another way and say the same.
 */
export function changedFields(recorded: KubeObject, live: KubeObject): Field[] {
  const before = leavesOf(recorded);
  const now = leavesOf(live);
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), now.get(key)];
    const path = (is ?? was)?.path ?? [];
    if (was?.text === is?.text || key === restartMark) return [];
    if (recorded.kind === "ConfigMap" && path[0] === "data" && isSameJson(was?.text, is?.text)) return [];
    return [{ path, from: was?.text, to: is?.text }];
  });
}

/** Whether two texts are JSON objects or lists with the same content. */
function isSameJson(some: string | undefined, other: string | undefined): boolean {
  const [one, two] = [some, other].map((text) => parseJson(text ?? ""));
  if (typeof one !== "object" || one === null || typeof two !== "object" || two === null) return false;
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(two));
}

/** Ends the name of a part of a list that has the name of an earlier one. */
export const again = " (again)";

/** In words, the first few. */
export function describeFields(fields: readonly Field[]): string {
  const shown = fields
    .slice(0, mostFields)
    .map(({ path, from = "none", to = "none" }) => `${pathText({ path })}: ${clip(from)} -> ${clip(to)}`);
  const more = fields.length > shown.length ? [`and ${fields.length - shown.length} more fields`] : [];
  return [...shown, ...more].join("; ");
}

/** A value with no parts, and where it is. */
export interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

/** Every leaf of a value. An empty list or object is a leaf, so that it is seen where it comes or goes. */
export function leavesOf(value: unknown): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (part: unknown, path: readonly string[]): void => {
    const parts = partsOf(part);
    if (parts === undefined) leaves.set(JSON.stringify(path), { path, text: String(part) });
    else if (parts.length === 0) leaves.set(JSON.stringify(path), { path, text: JSON.stringify(part) });
    else for (const [name, inner] of parts) visit(inner, [...path, name]);
  };
  visit(value, []);
  return leaves;
}

function partsOf(value: unknown): [string, unknown][] | undefined {
  if (Array.isArray(value)) {
    const names = value.map(nameOfPart);
    // A second part of one name is a part of its own: of two variables of one name, the last counts.
    return value.map((part, index) => {
      const [name = ""] = names.slice(index, index + 1);
      return [names.indexOf(name) === index ? name : `${name}${again}`, part];
    });
  }
  return isJsonObject(value) ? Object.entries(value) : undefined;
}

function nameOfPart(part: unknown, index: number): string {
  if (!isJsonObject(part)) return String(index);
  // Two mounts of one volume have the same name.
  const name = part["mountPath"] ?? part["name"];
  return typeof name === "string" ? name : String(index);
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);
