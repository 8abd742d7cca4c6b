/** Programs whose traces are asked for one by one at most. */
const mostRoots = 60;

/** A call between two programs, as Jaeger adds them up over all namespaces. */
export interface Call {
  readonly parent: string;
  readonly child: string;
}

/**
 * Programs at which a system's requests may begin, those that are surely its own first. Jaeger knows names alone, of all
 * systems that share it: a program of the system is called if another one of the system's calls it, and one of which it is not known
 * whose it is, if any does. When none is left, all of the system's own are.
 */
export function rootsAmong(
  names: readonly string[],
  calls: readonly Call[],
  isOwn: (name: string) => boolean,
): readonly string[] {
  const own = new Set(names.filter(isOwn));
  const called = new Set(
    calls.filter(({ parent, child }) => own.has(parent) || !own.has(child)).map(({ child }) => child),
  );
  const first = names.filter((name) => !called.has(name));
  const found = first.some((name) => own.has(name))
    ? first
    : [...own, ...first.filter((name) => !own.has(name))];
  const all = found.length > 0 ? found : names;
  return all.toSorted((a, b) => Number(own.has(b)) - Number(own.has(a))).slice(0, mostRoots);
}
