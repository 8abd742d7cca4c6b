import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { noFailure } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { questionsOf } from "./testing/harness-words.ts";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("simple-micro");
const [target = ""] = environment.targets;
const historySeconds = 180;

type User = Awaited<ReturnType<typeof aToolUser>>;
type Question = readonly [tool: string, args: object];

/** An episode whose agent does nothing; everything that it is given to the questions. */
async function episode(
  user: User,
  failure: string,
  noises: readonly string[],
  questions: readonly Question[],
): Promise<Map<string, string>> {
  const { arena, cluster } = user;
  const noise = noises.map((name) => ({ noise: name, target, ago: 30 }));
  const incident = { failure, target, noise, concealment: "neutral" } as const;
  await prepareArena(arena, { redeploy: false, seed: failure, timeoutSeconds: 900 });
  const body = await injectFailure(arena, { ...incident, seed: "one", historySeconds, timeoutSeconds: 120 });
  if (body.status !== "ok") throw new Error(body.reason);
  const from = (await cluster.clock.now()) - historySeconds * 1000;
  const said = new Map<string, string>();
  for (const [tool, args] of questions) {
    const { answer, replies } = await user.call(tool, args, from);
    said.set(`${tool} ${JSON.stringify(args)}`, [answer, ...replies.map(({ output }) => output)].join("\n"));
  }
  await restoreArena(arena, { ...incident, baseline: body.baseline, timeoutSeconds: 900 });
  return said;
}

/** A healthy system after other episodes in the same arena. */
async function healthyAfter(
  before: readonly (readonly [failure: string, noises: readonly string[]])[],
  questions: readonly Question[],
  goesBack: boolean,
): Promise<Map<string, string>> {
  await using user = await aToolUser(catalogue, environment, { goesBack });
  for (const [failure, noises] of before) await episode(user, failure, noises, []);
  return await episode(user, noFailure, [], questions);
}

const faulty = [
  ["image-not-found", ["rolled-back"]],
  ["memory-limit-too-small", ["warning-event", "failed-job"]],
  ["service-selector-mismatch", ["limits-raised"]],
] as const;

test("an arena that goes back shows a healthy system byte for byte as if no episode had been there", async () => {
  const questions: Question[] = [
    ...questionsOf(environment, []),
    [
      "exec_shell",
      { command: "kubectl get pods,deployments,replicasets,services,events -o yaml --show-managed-fields" },
    ],
  ];
  const alone = await healthyAfter([], questions, true);
  const after = await healthyAfter(faulty, questions, true);
  for (const [question, answer] of alone) expect(after.get(question), question).toBe(answer);
});

test("an arena that is put back shows no events, writers, changes or revisions of before", async () => {
  const shell = (command: string): Question => ["exec_shell", { command }];
  const managers =
    "{.kind} {.metadata.name} {.metadata.managedFields[*].manager} {.metadata.managedFields[*].operation}";
  const questions = [
    ["get_events", { limit: 200 }],
    ["diff_since", { since: "24h" }],
    shell("kubectl get events"),
    shell(`kubectl get deployments,services -o jsonpath='{range .items[*]}${managers}{"\\n"}{end}'`),
    ...Object.keys(environment.workloads).map((name) => shell(`kubectl rollout history deployment/${name}`)),
  ] as const satisfies Question[];
  const shown = async (before: Parameters<typeof healthyAfter>[0]) =>
    [...(await healthyAfter(before, questions, false))].map(([question, answer]) => [
      question,
      answer.replaceAll(/\d\d:\d\d:\d\d|\d{13}/g, "TIME"),
    ]);
  expect(await shown(faulty)).toEqual(await shown([]));
});
