import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { ExperimentRequest } from "@microremed/contracts";
import { planProblems } from "@microremed/planner";
import { aToolUser } from "@microremed/stack/in-process/testing";
import { expect, test } from "vitest";
import { findShownRegularities } from "./shown/find-shown-regularities.ts";
import { type ShownProblem, shownChanges } from "./shown/shown-change.ts";
import { catalogue } from "./testing/entries.ts";

type PlannedCase = ReturnType<ReturnType<typeof planProblems>["episodes"]>[number];

/** Without a proof of a suite some problems on small systems are tried: what is plain shows in them. */
const isWhole = process.env["WHOLE_PROOF"] === "true";
const sampled = 24;
const smallSystems = ["simple-micro", "online-boutique"];
/** Suites of before: what they mean never changes. */
const before = ["microremed@1", "range@1", "range@2"];

const { environments, problems, suites } = catalogue;
const names = problems.suites.filter(
  (name) => !suites.get(name).elsewhere && !before.includes(name) && plannedOf(name).length > 0,
);

/** The problems at tasks in which an agent is asked once and may read what was changed. */
function plannedOf(name: string): PlannedCase[] {
  if (problems.of(name).every(({ missing }) => missing.length > 0)) return [];
  const request = ExperimentRequest.parse({ problems: name, seed: 1, model: "a", method: "Player" });
  const { total, episodes } = planProblems(request, catalogue);
  return episodes(0, total).filter(({ task }) =>
    ["detection", "localization", "analysis"].includes(task ?? ""),
  );
}

function tried(name: string): PlannedCase[] {
  const all = plannedOf(name);
  if (isWhole) return all;
  const small = all.filter(
    ({ problem, task }) => task === "detection" && smallSystems.includes(problem?.environment ?? ""),
  );
  return small.slice(0, sampled);
}

test.each(names)(
  "%s: neither age nor number nor kind of what was changed says what is wrong",
  async (name) => {
    const shown: ShownProblem[] = [];
    for (const [environment, cases] of Map.groupBy(
      tried(name),
      ({ problem }) => problem?.environment ?? "",
    )) {
      await using user = await aToolUser(catalogue, environments.get(environment));
      for (const one of cases) shown.push(...(await shownOf(user, one)));
    }
    const found = findShownRegularities(shown);
    expect(found.map(({ by, predicted, words }) => `${by} predicts ${predicted} (${words})`)).toEqual([]);
  },
  3_600_000,
);

/** What an agent is shown of a problem; empty: its fault had no effect. */
async function shownOf(
  { arena, cluster, call }: Awaited<ReturnType<typeof aToolUser>>,
  { failure, target, problem, caseId }: PlannedCase,
): Promise<ShownProblem[]> {
  if (!problem) return [];
  const { environment } = arena;
  const { noise, workload, askedAfter, further, flap, parameters } = problem;
  const incident = { failure, target, further, flap, parameters, noise, concealment: "neutral" } as const;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 });
  const body = await injectFailure(arena, {
    ...incident,
    ...{ workload, askedAfter, seed: caseId, historySeconds: 180, timeoutSeconds: 240 },
  });
  const now = await cluster.clock.now();
  const { answer } = await call("diff_since", { since: "24h" }, now - 180_000);
  const { baseline } = body;
  await restoreArena(arena, { ...incident, ...(baseline && { baseline }), timeoutSeconds: 1800 });
  if (body.status !== "ok") return [];
  const faults = [{ failure, target }, ...(further ?? [])];
  const truths = faults.map((one) =>
    catalogue.faults.get(one.failure).truth({ environment, target: one.target }),
  );
  const wrong = truths.flatMap(({ objects }) =>
    objects.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`),
  );
  return [
    {
      ...{ environment: environment.name, isFaulty: wrong.length > 0, wrong },
      ...{ changes: shownChanges(answer, now), size: answer.length },
    },
  ];
}
