/** Commands, and what is to be run before them. */
export interface SharedListings {
  readonly before: readonly string[];
  readonly commands: readonly string[];
}

const listing = /\bkubectl get ([a-z,]+) -o jsonpath='(\{range \.items\[\*\]\}[^']+)'/g;
const next = "--- next";
const everyItem = "{range .items[*]}";

/** Kinds by the names under which commands list them. Events are none of them: nothing else is looked for among so many. */
const kindsByName: Readonly<Record<string, string>> = {
  configmaps: "ConfigMap",
  cronjobs: "CronJob",
  daemonsets: "DaemonSet",
  deployments: "Deployment",
  ds: "DaemonSet",
  mutatingwebhookconfigurations: "MutatingWebhookConfiguration",
  networkpolicies: "NetworkPolicy",
  pods: "Pod",
  pvc: "PersistentVolumeClaim",
  replicasets: "ReplicaSet",
  resourcequotas: "ResourceQuota",
  rs: "ReplicaSet",
  services: "Service",
  statefulsets: "StatefulSet",
  sts: "StatefulSet",
  validatingwebhookconfigurations: "ValidatingWebhookConfiguration",
};

/**
 * The same commands, where one call of kubectl lists all objects that several of them list, and what several list alike is listed
 * once: each call takes a process, a connection, and what the API server says of its kinds.
 */
export function shareListings(commands: readonly string[]): SharedListings {
  const calls = commands.flatMap((one) => [...one.matchAll(listing)].map(([call]) => call));
  const once = [...new Set(calls)];
  const known = once.filter(isOfKnownKinds);
  const together = known.length > 1 ? known : [];
  const alike = once.filter(
    (call) => !together.includes(call) && calls.indexOf(call) !== calls.lastIndexOf(call),
  );
  const readAs = (call: string): string => {
    if (alike.includes(call)) return `echo "$list${alike.indexOf(call)}"`;
    const place = together.indexOf(call);
    return place < 0
      ? call
      : `echo "$all" | awk '$0 == "${next}" { n++; next } n + 0 == ${place} && $0 != ""'`;
  };
  return {
    before: [
      ...(together.length > 0 ? [`all=$(${listAll(together)})`] : []),
      ...alike.map((call, place) => `list${place}=$(${call})`),
    ],
    commands: commands.map((one) => one.replace(listing, readAs)),
  };
}

function partsOf(call: string) {
  const [, kinds = "", template = ""] = [...call.matchAll(listing)][0] ?? [];
  return { names: kinds.split(","), template };
}

function isOfKnownKinds(call: string): boolean {
  const { names, template } = partsOf(call);
  return names.every((name) => kindsByName[name] !== undefined) && template.split(".items").length === 2;
}

/** A list of several kinds has a template of each, one after the other: an item of it says its kind. */
function listAll(calls: readonly string[]): string {
  const all = calls.map(partsOf);
  const kinds = new Map(all.flatMap(({ names }) => names.map((name) => [kindsByName[name], name])));
  const templates = all.map(({ names, template }) =>
    names
      .map((name) => template.replace(everyItem, `{range .items[?(@.kind=="${kindsByName[name]}")]}`))
      .join(""),
  );
  return `kubectl get ${[...kinds.values()].join(",")} -o jsonpath='${templates.join(`{"\\n${next}\\n"}`)}'`;
}
