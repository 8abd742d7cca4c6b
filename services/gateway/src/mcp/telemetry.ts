/** Telemetry as resources: reading one calls a tool, and counts as such a call. */
const scheme = "telemetry://";

/** Resources without a parameter, by the end of their address. */
const fixed = {
  topology: { tool: "get_topology", title: "Services, their pods, and what they call" },
  events: { tool: "get_events", title: "The latest events" },
  metrics: { tool: "query_metrics", title: "CPU and memory of every container" },
  changes: { tool: "diff_since", title: "What was changed lately" },
} as const;

const templates = {
  logs: { tool: "get_logs", argument: "of", title: "Logs of a pod, or of a workload as deployment/<name>" },
  traces: { tool: "search_traces", argument: "service", title: "Traces through a service" },
  describe: { tool: "describe", argument: "of", title: "One object with its last events, as <kind>/<name>" },
} as const;

const mimeType = "text/plain";

export const telemetryResources = Object.entries(fixed).map(([name, { title, tool }]) => ({
  ...{ uri: `${scheme}${name}`, name, title, mimeType },
  description: `${title}. Reading it counts as a call of ${tool}.`,
}));

export const telemetryTemplates = Object.entries(templates).map(([name, { title, tool, argument }]) => ({
  ...{ uriTemplate: `${scheme}${name}/{+${argument}}`, name, title, mimeType },
  description: `${title}. Reading it counts as a call of ${tool}.`,
}));

/** The call that reading a resource is; undefined: there is no such resource. */
export function telemetryCall(
  uri: string,
): { readonly tool: string; readonly args: Record<string, unknown> } | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  const [name = "", ...rest] = uri.slice(scheme.length).split("/");
  if (rest.length === 0)
    return Object.hasOwn(fixed, name)
      ? { tool: fixed[name as keyof typeof fixed].tool, args: {} }
      : undefined;
  if (!Object.hasOwn(templates, name)) return undefined;
  const { tool, argument } = templates[name as keyof typeof templates];
  const value = decoded(rest.join("/"));
  return value === undefined ? undefined : { tool, args: { [argument]: value } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
