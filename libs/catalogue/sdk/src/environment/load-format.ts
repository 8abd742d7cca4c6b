import { z } from "zod";
import { meanRate } from "./replay.ts";

/** What a right answer is. */
const Expected = z
  .strictObject({
    status: z
      .array(z.int().min(200).max(399))
      .min(1)
      .optional()
      .describe("default: 200 to 399, with content 200 to 299"),
    content: z
      .string()
      .regex(/^[^\r\n]{1,200}$/, "one line of at most 200 characters")
      .optional()
      .describe("text that it contains; default: it is not empty"),
  })
  .refine(({ status = [], content }) => content === undefined || status.every((one) => one < 300), {
    path: ["status"],
    message: "200 to 299 beside content: a redirection is known by its status alone",
  });
/** What a right answer is: its status, and text that it contains; what is absent is not asked for. */
export type Expected = z.infer<typeof Expected>;

const asked = {
  method: z.enum(["GET", "POST"]).default("GET"),
  path: z.string().startsWith("/").describe("with its query"),
  body: z.string().optional().describe("of a POST, as a form sends it"),
  expect: Expected.optional().describe("what a right answer is; any other counts as wrong"),
};

const seconds = z.number().min(0).max(3600);
/** A pause: so long, or drawn evenly between two numbers. */
const Pause = z.union([seconds, z.tuple([seconds, seconds])]);

const share = z.number().positive();

/** A session of a user: steps in their order. One that gets a wrong answer ends the session. */
const Journey = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/, "lower-case letters, digits and dashes, at most 40"),
  share: share.default(1).describe("of all sessions, relative to the other shares"),
  steps: z
    .array(
      z.strictObject({
        ...asked,
        thinkSeconds: Pause.optional().describe("pause after its answer; default: that of the load"),
      }),
    )
    .min(1)
    .max(20),
});

/** Requests a second that a simulated system is sent at most, and users of journeys who think at once. */
const mostPerSecond = 100_000;
const mostThinking = 1_000;
/** Times a load at most. */
const mostTimes = 100;

/** Names of files beside `workload.yaml`. */
export const fileBeside = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/;

/** A recorded load, which begins again at its end. */
const Replay = z.strictObject({
  file: z
    .string()
    .regex(fileBeside, "the name of a file beside workload.yaml, without a folder")
    .optional()
    .describe("CSV with a head, or a JSON object a line: `at`, and `rate` or `path`"),
  rows: z
    .array(
      z.strictObject({
        at: z.number().min(0).max(86_400).describe("seconds from its beginning"),
        rate: z.number().min(0).max(mostPerSecond).optional().describe("requests per second from then on"),
        path: z.string().optional().describe("of the mix: one request for it"),
      }),
    )
    .optional()
    .describe("what the file holds, in code"),
});

/** Requests that the judge asks for at most: each of them often enough that one that fails is seen. */
const mostDifferent = 8;

const course = {
  path: z
    .string()
    .startsWith("/")
    .optional()
    .describe(
      'what users ask for, if there is neither a mix nor a journey; default: of a further load what the system\'s own asks for, else "/"',
    ),
  requests: z
    .array(
      z.strictObject({ ...asked, share: share.describe("of all requests, relative to the other shares") }),
    )
    .min(1)
    .max(mostDifferent)
    .optional()
    .describe(
      "the mix of what users ask for; the judge asks for each of a GET, and of a POST that has a body",
    ),
  journeys: z.array(Journey).min(1).max(8).optional().describe("sessions of users, instead of a mix"),
  requestsPerSecond: z
    .number()
    .positive()
    .max(mostPerSecond)
    .optional()
    .describe("open loop: on average, however long answers take; of journeys all steps together"),
  users: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("closed loop: so many; each waits for an answer, thinks, and goes on"),
  thinkSeconds: Pause.default([1, 10]).describe("pause after an answer, of journeys and in a closed loop"),
  diurnal: z
    .strictObject({
      amplitude: z.number().min(0).max(1).describe("share of the rate that comes and goes"),
      periodSeconds: z.number().positive().default(86_400),
      peakAtSeconds: z.number().min(0).default(50_400).describe("after midnight UTC; default 14:00"),
    })
    .optional()
    .describe("a day's course: rate x (1 + amplitude x cosine)"),
  bursts: z
    .strictObject({
      everySeconds: z.number().positive().describe("one burst in every such stretch, its moment seeded"),
      durationSeconds: z.number().positive(),
      factor: z.number().min(0).max(mostTimes).describe("rate during a burst, as a multiple"),
    })
    .refine(({ everySeconds, durationSeconds }) => durationSeconds <= everySeconds, {
      path: ["durationSeconds"],
      message: "a number of at most everySeconds",
    })
    .optional(),
  replay: Replay.optional().describe("a recorded load instead of a rate"),
};

type Course = z.infer<z.ZodObject<typeof course>>;

/** What does not go together: the field, and what is expected there. */
function contradictions({ requests, journeys, users, requestsPerSecond, replay, thinkSeconds }: Course) {
  const given = [users, requestsPerSecond, replay].filter((one) => one !== undefined).length;
  const steps = [...(requests ?? []), ...(journeys ?? []).flatMap((one) => one.steps)];
  const different = new Set(steps.map(({ method, path, body }) => JSON.stringify([method, path, body])));
  const pauses = (journeys ?? []).flatMap((one) =>
    one.steps.map((step) => step.thinkSeconds ?? thinkSeconds),
  );
  const hasties = [...pauses, ...(journeys ? [] : [thinkSeconds])].filter((one) => meanPause(one) < 0.1);
  const back = [thinkSeconds, ...pauses].filter((one) => typeof one !== "number" && one[0] > one[1]);
  const wrong: [field: string, expected: string][] = [];
  if (requests && journeys) wrong.push(["journeys", "no requests beside them: write one of the two"]);
  if (given === 0) wrong.push(["requestsPerSecond", "one of requestsPerSecond, users and replay"]);
  if (given > 1)
    wrong.push(["requestsPerSecond", "one of requestsPerSecond, users and replay; leave the others out"]);
  if (replay && journeys) wrong.push(["replay", "requests; a recorded load has no journeys"]);
  if (different.size > mostDifferent)
    wrong.push(["journeys", `at most ${mostDifferent} different requests, not ${different.size}`]);
  if (users !== undefined && hasties.length > 0)
    wrong.push(["thinkSeconds", "0.1 s at least in a closed loop"]);
  const thinking = (requestsPerSecond ?? 0) * Math.max(1, meanOf(pauses));
  if (journeys && thinking > mostThinking)
    wrong.push([
      "requestsPerSecond",
      `at most ${Math.floor(mostThinking / Math.max(1, meanOf(pauses)))} with these journeys: each user is followed, ${mostThinking} at once at most`,
    ]);
  if (back.length > 0) wrong.push(["thinkSeconds", "the shorter pause first"]);
  return wrong;
}

/** The mean of a pause, s. */
export const meanPause = (pause: z.infer<typeof Pause>): number =>
  typeof pause === "number" ? pause : (pause[0] + pause[1]) / 2;

const meanOf = (pauses: readonly z.infer<typeof Pause>[]): number =>
  pauses.reduce<number>((sum, one) => sum + meanPause(one), 0) / Math.max(1, pauses.length);

const checked = (load: Course, context: z.core.$RefinementCtx): void => {
  for (const [field, message] of contradictions(load))
    context.addIssue({ code: "custom", path: [field], message });
};

/** Requests per second of a load whose answers take no time, on average. */
function rateOf({ requestsPerSecond, users, journeys, thinkSeconds, replay }: Course): number {
  if (requestsPerSecond !== undefined) return requestsPerSecond;
  if (users === undefined) return replay?.rows ? meanRate(replay.rows) : 0;
  const sessions = journeys ?? [{ share: 1, steps: [{ thinkSeconds }] }];
  const sum = (of: (session: (typeof sessions)[number]) => number): number =>
    sessions.reduce((total, session) => total + session.share * of(session), 0);
  const pauses = sum(({ steps }) =>
    steps.reduce((total, step) => total + meanPause(step.thinkSeconds ?? thinkSeconds), 0),
  );
  return (users * sum(({ steps }) => steps.length)) / pauses;
}

const withRate = <T extends Course>(load: T) => ({ ...load, requestsPerSecond: rateOf(load) });

/** One load of a system: what users ask for, and how often. */
const LoadCourse = z.strictObject(course).superRefine(checked).transform(withRate);

/** The keys of `workload.yaml`. */
export const LoadFormat = z.strictObject({
  entry: z.string().describe("host:port that receives the load"),
  from: z.string().optional().describe("workload that sends it; default: outside the system"),
  ...course,
  loads: z
    .record(
      z.string().regex(/^[a-z0-9-]{1,40}$/, "lower-case letters, digits and dashes, at most 40"),
      LoadCourse,
    )
    .optional()
    .describe("further loads, by name, which a problem may put in place of this one"),
});

/** Who sends requests into the system. This is the format of `workload.yaml`. */
export const LoadSpec = LoadFormat.superRefine(checked).transform(withRate);
export type LoadSpec = Partial<Pick<z.infer<typeof LoadSpec>, "thinkSeconds">> &
  Omit<z.infer<typeof LoadSpec>, "thinkSeconds">;
