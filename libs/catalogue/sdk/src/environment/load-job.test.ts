import { expect, test } from "vitest";
import type { Environment } from "./environment.types.ts";
import { LoadSpec } from "./load-format.ts";
import { type LoadPlan, loadJob, loadRates } from "./load-job.ts";
import { firstVisit, nextVisit, pauseAfter, sessionsOf, type Visit } from "./sessions.ts";

const environment = {
  name: "shop",
  load: {
    entry: "front:8080",
    path: "/",
    requestsPerSecond: 5,
    requests: [
      { method: "GET", path: "/cart?user=1", share: 3 },
      { method: "POST", path: "/login", body: "user=1", share: 1 },
    ],
  },
} as Environment;
const plan = { namespace: "arena", rates: [5, 12.5], secondsEach: 30 };

/** The script that the Job runs. */
function loadScript(of: Environment, given: LoadPlan): string {
  const [configMap] = loadJob(of, given) as unknown as [{ data: Record<string, string> }];
  return configMap.data["script.js"] ?? "";
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly params: { readonly tags: { readonly name: string } };
}

/** Runs the script's function as k6 does, with `http` and `check` of its own. */
function users(script: string, status: number, random: () => number, iterationInInstance = 1) {
  const sent: Sent[] = [];
  const answered: boolean[] = [];
  const said: string[] = [];
  const slept: number[] = [];
  const http = {
    request: (method: string, url: string, body: string | null, params: Sent["params"]) => {
      sent.push({ method, url, body, params });
      return { status, body: status < 300 ? "OK" : "" };
    },
  };
  const check = (answer: object, all: Record<string, (one: object) => boolean>): boolean =>
    Object.values(all).every((one) => one(answer));
  class Rate {
    add(value: boolean): void {
      answered.push(value);
    }
  }
  const body = script
    .replace(/^import .*$/gm, "")
    .replace("export const options =", "const options =")
    .replace("export default function", "const user = function");
  const { options, user } = new Function(
    "http",
    "check",
    "sleep",
    "exec",
    "Rate",
    "Math",
    "console",
    `${body}; return { options, user };`,
  )(
    http,
    check,
    (seconds: number) => slept.push(seconds),
    { vu: { iterationInInstance }, scenario: { progress: 0.5 } },
    Rate,
    { random },
    { warn: (line: string) => said.push(line) },
  ) as {
    options: Record<string, Record<string, unknown>>;
    user: () => void;
  };
  return { options, user, sent, answered, said, slept };
}

test("the script sends the mix by its shares, and each is one value of the rate that is bounded", () => {
  const draws = [0.1, 0.74, 0.76];
  const script = loadScript(environment, plan);
  const healthy = users(script, 200, () => draws.shift() ?? 0);
  for (let n = 0; n < 3; n += 1) healthy.user();
  expect(healthy.sent.map(({ method, url, body, params }) => [method, url, body, params.tags.name])).toEqual([
    ["GET", "http://front:8080/cart?user=1", null, "GET /cart"],
    ["GET", "http://front:8080/cart?user=1", null, "GET /cart"],
    ["POST", "http://front:8080/login", "user=1", "POST /login"],
  ]);
  expect(healthy.answered).toEqual([true, true, true]);
  expect(healthy.options["thresholds"]).toEqual({ answered: ["rate>=0.99"] });
  // Of the two checks of this one only the status fails.
  const broken = users(script, 503, () => 0);
  broken.user();
  expect(broken.answered).toEqual([false]);
  expect(broken.said).toEqual(["GET /cart answered 503"]);
});

test.each([
  ["front:8080", "http://front.arena:8080/login"],
  ["front.shop.svc:8080", "http://front.arena:8080/login"],
])("requests to %s of another namespace name it", (entry, url) => {
  const script = loadScript(
    { ...environment, load: { ...environment.load, entry } },
    { ...plan, to: "arena" },
  );
  const one = users(script, 200, () => 0.9);
  one.user();
  expect(one.sent.map((sent) => sent.url)).toEqual([url]);
});

const shopping = {
  ...environment,
  load: LoadSpec.parse({
    entry: "front:8080",
    users: 20,
    thinkSeconds: [1, 3],
    journeys: [
      { name: "browse", share: 3, steps: [{ path: "/" }] },
      {
        name: "buy",
        steps: [
          { path: "/cart", expect: { content: "OK" } },
          { path: "/pay", thinkSeconds: 5 },
        ],
      },
    ],
  }),
};

test("journeys are sessions: steps in order, pauses between them, and other content than the right one ends one", () => {
  // The session, and then a pause a step, as users of an embedded cluster draw.
  const draws = () => {
    const left = [0.8, 0.5, 0.5];
    return () => left.shift() ?? 0;
  };
  const script = loadScript(shopping, plan);
  const served = users(script, 200, draws());
  served.user();
  const draw = draws();
  const sessions = sessionsOf(shopping.load);
  const expected: [string, number][] = [];
  for (
    let visit: Visit | undefined = firstVisit(sessions, draw());
    visit;
    visit = nextVisit(sessions, visit, true)
  ) {
    const step = sessions[visit.session]?.steps[visit.step];
    if (step) expected.push([`http://front:8080${step.path}`, pauseAfter(step, draw())]);
  }
  expect(served.sent.map(({ url }, index) => [url, served.slept[index]])).toEqual(expected);
  expect(expected).toEqual([
    ["http://front:8080/cart", 2],
    ["http://front:8080/pay", 5],
  ]);
  const wrong = users(script.replace('"content": "OK"', '"content": "a cart"'), 200, draws());
  wrong.user();
  expect([wrong.sent.length, wrong.answered, wrong.said]).toEqual([
    1,
    [false],
    ["GET /cart answered 200 with other content"],
  ]);
});

test("users of a closed loop begin at different moments of their first pause", () => {
  const { slept, user } = users(loadScript(shopping, plan), 200, () => 0.25, 0);
  user();
  expect(slept).toEqual([0.25 * 1.5, 1.5]);
});

test("users of a closed loop are held at their number", () => {
  const rates = loadRates(
    shopping.load,
    { shape: "step", factor: 2, at: 20 },
    { seconds: 40, secondsEach: 20 },
  );
  expect(rates).toEqual([20, 40]);
  const { options } = users(loadScript(shopping, { ...plan, rates }), 200, () => 0);
  expect(options["scenarios"]?.["users"]).toEqual({
    executor: "ramping-vus",
    gracefulStop: "10s",
    gracefulRampDown: "0s",
    startVUs: 20,
    stages: [20, 20, 40, 40].map((target, index) => ({ target, duration: index % 2 === 0 ? "0s" : "30s" })),
  });
});

test("sessions of an open loop come as often as their steps make the rate", () => {
  const { users: _, ...load } = shopping.load;
  const open = { ...shopping, load: { ...load, requestsPerSecond: 10 } };
  const { options } = users(loadScript(open, { ...plan, rates: [10] }), 200, () => 0);
  // Three of four sessions have one step, the others two.
  expect(options["scenarios"]?.["users"]).toMatchObject({ startRate: (10 / 1.25) * 60 });
});

test("each rate is jumped to and held, in whole requests a minute", () => {
  const { options } = users(loadScript(environment, plan), 200, () => 0);
  expect(options["scenarios"]?.["users"]).toMatchObject({
    executor: "ramping-arrival-rate",
    timeUnit: "60s",
    startRate: 300,
    maxVUs: 125,
    stages: [
      { target: 300, duration: "0s" },
      { target: 300, duration: "30s" },
      { target: 750, duration: "0s" },
      { target: 750, duration: "30s" },
    ],
  });
});

test("the Job runs once, at a release of k6, with the script of the ConfigMap", () => {
  const [script, job] = loadJob(environment, plan);
  expect(script).toMatchObject({ kind: "ConfigMap", metadata: { name: "shop-load", namespace: "arena" } });
  expect(job).toMatchObject({
    kind: "Job",
    spec: {
      backoffLimit: 0,
      template: { spec: { containers: [{ image: expect.stringMatching(/^grafana\/k6:\d+\.\d+\.\d+$/) }] } },
    },
  });
});

test.each([
  [undefined, [5, 5, 5, 5]],
  [{ shape: "step", factor: 3, at: 20 }, [5, 5, 15, 15]],
  [{ shape: "ramp", factor: 3, at: 0, seconds: 20 }, [7.5, 12.5, 15, 15]],
] as const)("rates of the pattern %j", (pattern, rates) => {
  expect(loadRates(environment.load, pattern, { seconds: 40, secondsEach: 10 })).toEqual(rates);
});

test("without a pattern an environment's own bursts, day and replay make the rates", () => {
  const bursts = { everySeconds: 20, durationSeconds: 10, factor: 2 };
  const diurnal = { amplitude: 1, periodSeconds: 40, peakAtSeconds: 5 };
  const over = { seconds: 40, secondsEach: 10 };
  expect(loadRates({ ...environment.load, bursts }, undefined, over)).toEqual([10, 5, 10, 5]);
  expect(loadRates({ ...environment.load, diurnal }, undefined, over).map(Math.round)).toEqual([10, 5, 0, 5]);
  const rows = [0, 10, 20].map((at) => ({ at, rate: at / 2 }));
  const recorded = LoadSpec.parse({ entry: "front:8080", replay: { rows } });
  expect(loadRates(recorded, undefined, over)).toEqual([0, 5, 10, 0]);
  const short = { ...environment.load, bursts: { everySeconds: 20, durationSeconds: 4, factor: 6 } };
  expect(loadRates(short, undefined, over)).toEqual([15, 5, 15, 5]);
});
