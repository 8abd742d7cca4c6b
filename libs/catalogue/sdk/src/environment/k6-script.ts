import type { LoadSpec } from "./load-format.ts";
import { barePath } from "./load-requests.ts";
import { sessionsOf } from "./sessions.ts";

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
  /** Users of a closed loop when all come. */
  readonly vus?: number | undefined;
  /** Seconds by which a replay counts, in JavaScript. */
  readonly clock: string;
}

/**
 * The script of k6 that sends a load: sessions, each drawn by its share, whose steps come in their order with pauses between
 * them. An answer that is not what its step expects is a failure, which it logs; it ends the session.
 */
export function loadScript(
  load: LoadSpec,
  { options, timeoutSeconds, to, share, vus = 0, clock }: ScriptOptions,
): string {
  const sessions = sessionsOf(load).map((one) => ({
    share: one.share,
    steps: one.steps.map(({ expect = {}, ...step }) => ({
      ...step,
      name: `${step.method} ${barePath(step.path)}`,
      ...(expect.status && { status: expect.status }),
      content: expect.content ?? "",
    })),
  }));
  return `import http from "k6/http";
import { check, sleep } from "k6";
import exec from "k6/execution";
import { Rate } from "k6/metrics";

export const options = ${JSON.stringify(options, null, 2)};

const entry = ${JSON.stringify(`http://${addressIn(load.entry, to)}`)};
const sessions = ${JSON.stringify(sessions, null, 2)};

const answered = new Rate("answered");
${drawnText(load, sessions, clock)}
function ask({ method, path, body, name, status, content }) {
  const headers = body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
  const params = { headers, redirects: 0, timeout: "${timeoutSeconds}s", tags: { name } };
  const answer = http.request(method, entry + path, body === undefined ? null : body, params);
  const hasContent = answer.body !== null && answer.body !== undefined && answer.body.length > 0;
  const isRight = check(answer, {
    "has the status": (one) => (status ? status.includes(one.status) : one.status >= 200 && one.status < 400),
    "has the content": (one) =>
      content === "" ? one.status >= 300 || hasContent : one.status < 300 && hasContent && one.body.includes(content),
  });
  answered.add(isRight);
  if (!isRight && answer.status !== 0) {
    const why = answer.status < 400 && !(status && !status.includes(answer.status)) ? " with other content" : "";
    console.warn(\`\${name} answered \${answer.status}\${why}\`);
  }
  return isRight;
}
${share ?? ""}

function pauseOf({ pause: [least, most] }) {
  return least + Math.random() * (most - least);
}

export default function () {
${share === undefined ? "" : openOrClosed(load, vus)}  const session = drawn();
${load.users === undefined ? "" : beginning}  for (const step of session ? session.steps : []) {
    // What is at work at the end is waited for; nothing more is asked.
    if (exec.scenario.progress >= 1) return;
    const isRight = ask(step);
    if (step.pause[1] > 0) sleep(pauseOf(step));
    if (!isRight) return;
  }
}
`;
}

const beginning = `  // Users of a closed loop begin at different moments of their first pause.
  if (exec.vu.iterationInInstance === 0) sleep(Math.random() * pauseOf(session.steps[0]));
`;

/** Users of a closed loop are the first so many; the others wait. Of an open loop each decides by itself whether it comes. */
const openOrClosed = ({ users }: LoadSpec, vus: number): string =>
  users === undefined
    ? "  if (Math.random() >= share()) return;\n"
    : `  if (exec.vu.idInTest > Math.round(share() * ${vus})) return sleep(1);\n`;

/** How the next session is found: by shares, or by what was asked for in the second of a recorded load. */
function drawnText(
  load: LoadSpec,
  sessions: readonly { readonly steps: readonly { path: string }[] }[],
  clock: string,
) {
  const rows = load.replay?.rows?.filter(({ path }) => path !== undefined) ?? [];
  if (rows.length === 0)
    return `
function drawn() {
  let left = Math.random();
  for (const session of sessions) {
    left -= session.share;
    if (left < 0) return session;
  }
  return sessions[sessions.length - 1];
}
`;
  const placeOf = (path: string | undefined) => sessions.findIndex(({ steps }) => steps[0]?.path === path);
  const bySecond = Map.groupBy(rows, ({ at }) => Math.floor(at));
  const length = Math.floor(rows.at(-1)?.at ?? 0) + 1;
  const recorded = Array.from({ length }, (_, second) =>
    (bySecond.get(second) ?? []).map(({ path }) => placeOf(path)),
  );
  return `
// Of each second the sessions that came.
const recorded = ${JSON.stringify(recorded)};

function drawn() {
  const now = recorded[Math.floor(${clock}) % recorded.length];
  return sessions[now[Math.floor(Math.random() * now.length)]];
}
`;
}

/** The entry's `service:port`, as pods of another namespace dial it. */
const addressIn = (entry: string, namespace: string | undefined): string =>
  namespace === undefined ? entry : entry.replace(/^([^.:]+)[^:]*/, `$1.${namespace}`);
