import { isRecord, type Loose } from "@microremed/sim-objects";

/**
 * A set of fields in the form of fieldsV1: keys are steps (`f:name` into an object, `k:{...}` or `v:...` to a list's
 * element). A node without inner steps is a member, one with inner steps is when it has the key ".".
 */
export interface FieldTree {
  readonly [step: string]: FieldTree;
}

export const leaf: FieldTree = {};

const self = ".";

export const stepsOf = (tree: FieldTree): string[] => Object.keys(tree).filter((step) => step !== self);

export function isMember(tree: FieldTree | undefined): boolean {
  return tree !== undefined && (self in tree || Object.keys(tree).length === 0);
}

/** A node of these children; undefined when it says nothing. */
export function node(children: Readonly<Record<string, FieldTree>>, member: boolean): FieldTree | undefined {
  const empty = Object.keys(children).length === 0;
  if (empty) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

function combine(
  a: FieldTree | undefined,
  b: FieldTree | undefined,
  steps: readonly string[],
  member: boolean,
  inner: (a: FieldTree | undefined, b: FieldTree | undefined) => FieldTree | undefined,
): FieldTree | undefined {
  const children: Record<string, FieldTree> = {};
  for (const step of steps) {
    const child = inner(a?.[step], b?.[step]);
    if (child) children[step] = child;
  }
  return node(children, member);
}

export function union(a: FieldTree | undefined, b: FieldTree | undefined): FieldTree | undefined {
  if (!a || !b) return a ?? b;
  const steps = [...new Set([...stepsOf(a), ...stepsOf(b)])];
  return combine(a, b, steps, isMember(a) || isMember(b), union);
}

/** The members of `a` that are none of `b`. */
export function difference(a: FieldTree | undefined, b: FieldTree | undefined): FieldTree | undefined {
  if (!a || !b) return a;
  return combine(a, b, stepsOf(a), isMember(a) && !isMember(b), difference);
}

export function intersection(a: FieldTree | undefined, b: FieldTree | undefined): FieldTree | undefined {
  if (!a || !b) return undefined;
  const steps = stepsOf(a).filter((step) => step in b);
  return combine(a, b, steps, isMember(a) && isMember(b), intersection);
}

/** The set with every list element in it as a member in which a field is one. */
export function withElements(tree: FieldTree): FieldTree {
  const children = stepsOf(tree).map((step) => {
    const inner = withElements(tree[step] ?? leaf);
    return [step, step.startsWith("k:") ? { [self]: leaf, ...inner } : inner] as const;
  });
  return self in tree ? { [self]: leaf, ...Object.fromEntries(children) } : Object.fromEntries(children);
}

function stepText(step: string): string {
  const content = step.slice(2);
  if (step.startsWith("f:")) return `.${content}`;
  if (step.startsWith("v:")) return `[=${content}]`;
  const keys = Object.entries(JSON.parse(content)).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `[${keys.join(",")}]`;
}

/** `.spec.template.spec.containers[name="main"].image` of every member. */
export function memberPaths(tree: FieldTree, path = ""): string[] {
  const inner = stepsOf(tree).flatMap((step) => memberPaths(tree[step] ?? leaf, path + stepText(step)));
  return path !== "" && isMember(tree) ? [path, ...inner] : inner;
}

const maxDepth = 100;

function isElement(step: string): boolean {
  try {
    const value: unknown = JSON.parse(step.slice(2));
    return step.startsWith("v:") || (step.startsWith("k:") && isRecord(value));
  } catch {
    return false;
  }
}

/** What a client sent as fieldsV1, if it is a field set. */
export function readTree(value: Loose, depth = 0): FieldTree | undefined {
  if (!isRecord(value) || depth > maxDepth) return undefined;
  for (const [step, inner] of Object.entries(value)) {
    const known = step === self || step.startsWith("f:") || isElement(step);
    if (!known || !readTree(inner, depth + 1)) return undefined;
  }
  return value;
}
