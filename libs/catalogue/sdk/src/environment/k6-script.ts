import type { LoadSpec } from "./format.ts";
import { barePath, loadRequests } from "./load-requests.ts";

/** k6 at a release: its script's options are those of this one. */
export const k6Image = "grafana/k6:1.3.0";

/** How a script is run. */
export interface ScriptOptions {
  /** k6's own. */
  readonly options: object;
  /** Until a user gives up. */
  readonly timeoutSeconds: number;
  /** Namespace of the system that gets the requests; default: the script's own. */
  readonly to?: string | undefined;
  /** A function `share` in JavaScript: of the users that come now, those that ask for something. Default: all. */
  readonly share?: string | undefined;
}

/**
 * The script of k6 that sends requests of a mix, each drawn by its share. A status other than 2xx and 3xx, or an answer
 * without content, is a failure, which it logs.
 */
export function loadScript(load: LoadSpec, { options, timeoutSeconds, to, share }: ScriptOptions): string {
  const requests = loadRequests(load).map(({ method, path, body, share: part }) => ({
    ...{ method, path, share: part, name: `${method} ${barePath(path)}` },
    ...(body !== undefined && { body }),
  }));
  return `import http from "k6/http";
import { check } from "k6";
import { Rate } from "k6/metrics";

export const options = ${JSON.stringify(options, null, 2)};

const entry = ${JSON.stringify(`http://${addressIn(load.entry, to)}`)};
const requests = ${JSON.stringify(requests, null, 2)};

const answered = new Rate("answered");

function drawn() {
  let left = Math.random();
  for (const request of requests) {
    left -= request.share;
    if (left < 0) return request;
  }
  return requests[requests.length - 1];
}
${share ?? ""}
export default function () {
${share === undefined ? "" : "  if (Math.random() >= share()) return;\n"}  const { method, path, body, name } = drawn();
  const headers = body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
  const params = { headers, redirects: 0, timeout: "${timeoutSeconds}s", tags: { name } };
  const answer = http.request(method, entry + path, body === undefined ? null : body, params);
  const isAnswered = check(answer, {
    "status is 2xx or 3xx": ({ status }) => status >= 200 && status < 400,
    "has content": (one) => one.status >= 300 || (one.body !== null && one.body.length > 0),
  });
  answered.add(isAnswered);
  if (!isAnswered && answer.status !== 0) console.warn(\`\${name} answered \${answer.status}\`);
}
`;
}

/** The entry's `service:port`, as pods of another namespace dial it. */
const addressIn = (entry: string, namespace: string | undefined): string =>
  namespace === undefined ? entry : entry.replace(/^([^.:]+)[^:]*/, `$1.${namespace}`);
