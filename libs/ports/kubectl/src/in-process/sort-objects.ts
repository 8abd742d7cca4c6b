import type { KubeObject } from "@microremed/cluster";
import { parseQuantity } from "@microremed/kube-rules";
import { KubectlFailure } from "./failures.ts";
import { evaluate } from "./json-path.ts";

/**
 * In the order of `--sort-by`, whatever the output is: those without the field first, numbers and quantities by what
 * they come to, other texts by their characters. Throws kubectl's word when no object has the field.
 */
export function sortObjects<T>(
  some: readonly T[],
  path: string | undefined,
  objectOf: (one: T) => KubeObject,
): readonly T[] {
  if (path === undefined || some.length === 0) return some;
  const inner = path.replace(/^\{|\}$/g, "");
  const keyed = some.map((one) => ({ one, key: evaluate(inner, objectOf(one), objectOf(one))[0] }));
  if (keyed.every(({ key }) => key === undefined)) {
    const shown = JSON.stringify(`{${inner}}`);
    throw new KubectlFailure(`error: couldn't find any field with path ${shown} in the list of objects`);
  }
  return keyed.toSorted((a, b) => compareValues(a.key, b.key)).map(({ one }) => one);
}

function compareValues(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left !== undefined && right !== undefined) return left - right;
  const [first, second] = [String(a), String(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}
