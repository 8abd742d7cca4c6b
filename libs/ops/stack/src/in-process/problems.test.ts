import type { ExperimentRequestInput } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { createReport, type Report } from "@microremed/scoring";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const catalogue = await builtInCatalogue();
const environments = ["simple-micro", "online-boutique"];
const range = await startInProcessRange({ catalogue, environments, clusters: 2 });
afterAll(() => range[Symbol.asyncDispose]());

let count = 0;

async function run(request: ExperimentRequestInput) {
  const id = `problems-${count++}`;
  expect(await range.client.submit({ id, ...request })).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  return await range.client.experiment(id);
}

/** The first problem of each environment with one of these faults. */
const problems = environments.flatMap((environment) => {
  const found = catalogue.problems
    .of("microremed@1")
    .find((one) => one.environment === environment && one.incident[0]?.fault === "pod-config-error");
  return found ? [found.id] : [];
});
const outcomes = ({ episodes }: Report) => episodes.map((row) => [row.problem, row.task, row.outcome]);

test("one experiment runs problems of several environments, each in an arena of its own", async () => {
  const { experiment, episodes } = await run({ problems, model: "reference/runbook" });
  expect(outcomes(createReport(experiment, episodes))).toEqual(
    problems.map((id) => [id, "mitigation", "remediated"]),
  );
  expect(episodes.map(({ arena }) => arena?.namespace.replace(/-\d+$/, ""))).toEqual(environments);
  expect(episodes.map(({ caseId }) => caseId)).toEqual(problems.map((id) => `1/${id}`));
});

test("a problem decides what the agent is given, whatever the request says", async () => {
  const [id = ""] = problems;
  const { episodes } = await run({ problems: [id], model: "reference/noop", report: "none", maxAttempts: 1 });
  const [episode] = episodes;
  const conversation = await range.client.conversation(episode?.id ?? "");
  expect(JSON.stringify(conversation)).toContain(
    `Failure category: ${catalogue.problems.get(id).incident[0]?.fault}`,
  );
  expect(episode).toMatchObject({ outcome: "not-remediated", problem: { report: "oracle" } });
});

test("a policy that calls many tools gets what it needs beside other models, and is refused without its tools", async () => {
  const task = ["localization"];
  const found = catalogue.problems
    .of("range@3")
    .find(
      (one) =>
        one.environment === "simple-micro" && one.tasks.includes("localization") && one.incident.length > 0,
    );
  const asked = { problems: [found?.id ?? ""], task, model: ["reference/noop", "reference/expert"] };
  const { episodes } = await run({ ...asked, method: "Player" });
  expect(episodes.map(({ model, outcome }) => [model, outcome])).toEqual([
    ["reference/noop", "not-solved"],
    ["reference/expert", "solved"],
  ]);
  expect(await range.client.submit({ ...asked, method: ["Player", "ReAct"] })).toMatchObject({
    status: "rejected",
    issues: [
      {
        path: "method",
        message:
          'reference/expert calls diff_since, exec_shell, wait, which ReAct does not offer; use "Player"',
      },
    ],
  });
});

test("a request that names problems says nothing that they say, and unknown or unrunnable ones are refused", async () => {
  const issuesOf = async (request: object) => {
    const reply = await range.client.submit({
      model: "reference/noop",
      ...request,
    } as ExperimentRequestInput);
    return reply.status === "rejected" ? reply.issues.map(({ path, message }) => `${path}: ${message}`) : [];
  };
  expect(
    await issuesOf({ problems, environment: "simple-micro", failures: ["pod-fail"], target: "x" }),
  ).toEqual([
    "environment: leave it out: the problems say it",
    "target: leave it out: the problems say it",
    "failures: leave it out: the problems say it",
  ]);
  expect(await issuesOf({})).toEqual(["environment: is missing"]);
  expect(await issuesOf({ problems: ["microremed@1/nope"] })).toEqual([
    expect.stringMatching(/^problems: there is no problem "microremed@1\/nope"/),
  ]);
  expect(await issuesOf({ problems: "lunch" })).toEqual([
    expect.stringMatching(/^problems: "lunch" is not known/),
  ]);
});
