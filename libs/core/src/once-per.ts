/** Computes once for each object, whose part in the result must not change. It keeps no object alive. */
export function oncePer<A extends object, T>(compute: (object: A) => T): (object: A) => T {
  const known = new WeakMap<A, { readonly result: T }>();
  return (object) => {
    const before = known.get(object);
    if (before) return before.result;
    const result = compute(object);
    known.set(object, { result });
    return result;
  };
}
