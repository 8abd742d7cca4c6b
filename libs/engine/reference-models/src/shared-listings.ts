/** Commands, and what is to be run before them. */
export interface SharedListings {
  readonly before: readonly string[];
  readonly commands: readonly string[];
}

const listing = /\bkubectl get ([a-z,]+) -o jsonpath='(\{range \.items\[\*\]\}[^']+)'/g;
const next = "--- next";
const everyItem = "{range .items[*]}";

/** Kinds by the names under which commands list them. */
const kindsByName: Readonly<Record<string, string>> = {
  configmaps: "ConfigMap",
  cronjobs: "CronJob",
  daemonsets: "DaemonSet",
  deployments: "Deployment",
  ds: "DaemonSet",
  networkpolicies: "NetworkPolicy",
  pods: "Pod",
  pvc: "PersistentVolumeClaim",
  replicasets: "ReplicaSet",
  resourcequotas: "ResourceQuota",
  rs: "ReplicaSet",
  services: "Service",
  statefulsets: "StatefulSet",
  sts: "StatefulSet",
};

/** Objects as a command lists them. */
interface Listing {
  readonly names: readonly string[];
  readonly template: string;
}

/**
 * The same commands, where one call of kubectl lists all objects that several of them list: each call takes a process, a
 * connection, and what the API server says of its kinds.
 */
export function shareListings(commands: readonly string[]): SharedListings {
  const found = commands.flatMap((one) => [...one.matchAll(listing)]);
  const shared = new Map(
    found.flatMap(([call, kinds = "", template = ""]) => {
      const names = kinds.split(",");
      const isKnown = names.every((name) => kindsByName[name] !== undefined);
      return isKnown && template.split(".items").length === 2 ? [[call, { names, template }] as const] : [];
    }),
  );
  if (shared.size < 2) return { before: [], commands };
  const calls = [...shared.keys()];
  const readAs = (call: string): string => {
    const place = calls.indexOf(call);
    return place < 0
      ? call
      : `echo "$all" | awk '$0 == "${next}" { n++; next } n + 0 == ${place} && $0 != ""'`;
  };
  return {
    before: [listAll([...shared.values()])],
    commands: commands.map((one) => one.replace(listing, readAs)),
  };
}

/** A list of several kinds has a template of each, one after the other: an item of it says its kind. */
function listAll(listings: readonly Listing[]): string {
  const kinds = new Map(listings.flatMap(({ names }) => names.map((name) => [kindsByName[name], name])));
  const templates = listings.map(({ names, template }) =>
    names
      .map((name) => template.replace(everyItem, `{range .items[?(@.kind=="${kindsByName[name]}")]}`))
      .join(""),
  );
  return `all=$(kubectl get ${[...kinds.values()].join(",")} -o jsonpath='${templates.join(`{"\\n${next}\\n"}`)}')`;
}
