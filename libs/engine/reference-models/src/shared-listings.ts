/** Commands, and what is to be run before them. */
export interface SharedListings {
  readonly before: readonly string[];
  readonly commands: readonly string[];
}

const listing = /\bkubectl get ([a-z,]+) -o jsonpath='([^']+)'/g;
const next = "--- next";

/** Kinds whose objects a command lists by a template; undefined: none. */
export const listedBy = (command: string): string | undefined => command.matchAll(listing).next().value?.[1];

/**
 * The same commands, where several of them list objects of the same kinds with one call of kubectl: each takes a process, a
 * connection, and the API server's time for all of these objects.
 */
export function shareListings(commands: readonly string[]): SharedListings {
  const templates = new Map<string, Set<string>>();
  for (const [, kinds = "", template = ""] of commands.flatMap((one) => [...one.matchAll(listing)]))
    templates.set(kinds, (templates.get(kinds) ?? new Set()).add(template));
  const shared = [...templates]
    .filter(([, all]) => all.size > 1)
    .map(([kinds, all]) => ({ kinds, all: [...all] }));
  const before = shared.map(
    ({ kinds, all }, i) => `l${i}=$(kubectl get ${kinds} -o jsonpath='${all.join(`{"\\n${next}\\n"}`)}')`,
  );
  const readAs = (call: string, kinds: string, template: string): string => {
    const which = shared.findIndex((one) => one.kinds === kinds);
    const place = shared[which]?.all.indexOf(template);
    return place === undefined
      ? call
      : `echo "$l${which}" | awk '$0 == "${next}" { n++; next } n + 0 == ${place} && $0 != ""'`;
  };
  return { before, commands: commands.map((one) => one.replace(listing, readAs)) };
}
