import {
  type EpisodeRecord,
  ExperimentListQuery,
  ExperimentQuery,
  ExperimentRequest,
  plannedRecord,
  subjects,
} from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import { terminal } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { z } from "zod";
import { json } from "./a-gateway.ts";
import type { GatewaySuite } from "./test-gateway.ts";

const streamOfRequests = { stream: "EXPERIMENTS", durable: "scheduler", subjects: [subjects.submit] };

/** An experiment with an episode for each outcome. */
function anExperiment(id: string, outcomes: readonly EpisodeRecord["outcome"][]) {
  const request = ExperimentRequest.parse({ id, environment: "shop", model: ["a", "b"] });
  const experiment = aRunningExperiment(id, request, outcomes.length);
  const episodes = outcomes.map((outcome, index): EpisodeRecord => {
    const model = index % 2 === 0 ? "a" : "b";
    return {
      ...plannedRecord(id, aPlannedEpisode({ index, model })),
      outcome,
      ...(outcome && { state: "done" }),
    };
  });
  return { experiment, episodes };
}

/** What clients and the scheduler say to each other. */
export function testExperiments({ gateway, backbone }: GatewaySuite): void {
  /** Answers in the scheduler's place. */
  const serve = async (known: ReturnType<typeof anExperiment>) => {
    await using started = new AsyncDisposableStack();
    const { bus } = backbone();
    started.use(
      await bus.serve(
        subjects.experimentQuery,
        "scheduler",
        ExperimentQuery,
        async ({ experimentId, from, limit }) => {
          if (experimentId !== known.experiment.id)
            return { status: "error", error: { code: "unknown-experiment", message: "none", details: {} } };
          const episodes = known.episodes.slice(from, from + limit);
          const next = from + limit < known.episodes.length ? from + limit : null;
          return { status: "ok", experiment: known.experiment, episodes, next };
        },
      ),
    );
    started.use(
      await bus.serve(subjects.experimentList, "scheduler", ExperimentListQuery, async () => ({
        experiments: [
          {
            ...{ id: known.experiment.id, status: "running", episodes: 3, models: ["a"], methods: ["ReAct"] },
            ...{ about: "shop", submittedAt: 1, finishedAt: null },
          },
        ],
      })),
    );
    return started.move();
  };

  test("submits what a client may submit, and says all that is wrong with the rest", async () => {
    const researcher = await gateway().as("researcher");
    const wrong = await researcher("/v1/experiments", json({ environment: 1, model: "m", colour: "red" }));
    expect(wrong.status).toBe(400);
    const { error } = (await wrong.json()) as { error: { issues: { path: string }[] } };
    expect(error.issues.map(({ path }) => path).toSorted()).toEqual(["colour", "environment"]);

    const texts: string[] = [];
    const options = { ...streamOfRequests, schema: z.string(), format: "text", concurrency: 1 } as const;
    await using _scheduler = await backbone().bus.consume(options, async (text, { reply }) => {
      texts.push(text);
      const { id } = JSON.parse(text) as { id: string };
      const issues = [{ path: "environment", message: "is not known" }];
      await reply?.(
        id === "exp-2"
          ? { status: "rejected", issues }
          : { status: "accepted", experimentId: id, episodes: 3 },
      );
    });
    const request = { id: "exp-1", environment: "shop", model: "m" };
    const accepted = await researcher("/v1/experiments", json(request));
    expect([accepted.status, await accepted.json()]).toEqual([202, { experimentId: "exp-1", episodes: 3 }]);
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ ...request, model: ["m"] });
    const rejected = await researcher("/v1/experiments", json({ ...request, id: "exp-2" }));
    expect([rejected.status, await rejected.json()]).toMatchObject([
      400,
      { error: { code: "invalid-request", issues: [{ path: "environment", message: "is not known" }] } },
    ]);
  });

  test("shows experiments, episodes and reports, and says when there is none", async () => {
    const researcher = await gateway().as("researcher");
    const known = anExperiment("exp-3", ["remediated", "not-remediated", null]);
    await using _scheduler = await serve(known);
    const get = async (path: string) => {
      const reply = await researcher(`/v1${path}`);
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    expect(await get("/experiments?limit=5")).toMatchObject({
      status: 200,
      body: { experiments: [{ id: "exp-3" }] },
    });
    expect(await get("/experiments/exp-3")).toMatchObject({
      status: 200,
      body: { id: "exp-3", episodes: 3 },
    });
    const page = await get("/experiments/exp-3/episodes?from=1&limit=1");
    expect(page.body).toMatchObject({ episodes: [{ id: "exp-3.0001" }], next: 2 });
    expect(await get("/episodes/exp-3.0001")).toMatchObject({
      status: 200,
      body: { outcome: "not-remediated" },
    });
    expect(await get("/episodes/exp-3.0001/steps")).toEqual({ status: 200, body: { steps: [] } });
    const report = await get("/experiments/exp-3/report");
    expect(report.body).toMatchObject({ experimentId: "exp-3", status: "running" });
    const page2 = await researcher("/v1/experiments/exp-3/report?format=html");
    expect(page2.headers.get("content-type")).toContain("text/html");
    expect(page2.headers.get("content-security-policy")).toContain("sandbox");
    expect(await page2.text()).toContain("exp-3");
    for (const path of ["/experiments/exp-9", "/episodes/exp-9.0000", "/experiments/exp-9/report"])
      expect(await get(path)).toMatchObject({ status: 404, body: { error: { code: "unknown-experiment" } } });
  });

  test("cancels what runs; resumes what has no result, model by model", async () => {
    const researcher = await gateway().as("researcher");
    const known = anExperiment("exp-4", ["remediated", "harness-error", "cancelled", "not-remediated"]);
    await using scheduler = await serve(known);
    const cancel = await researcher("/v1/experiments/exp-4/cancel", { method: "POST" });
    expect([cancel.status, await cancel.json()]).toEqual([202, { experimentId: "exp-4" }]);
    expect((await researcher("/v1/experiments/exp-4/resume", { method: "POST" })).status).toBe(400);
    await scheduler.disposeAsync();

    await using _ended = await serve({ ...known, experiment: { ...known.experiment, status: "cancelled" } });
    expect((await researcher("/v1/experiments/exp-4/cancel", { method: "POST" })).status).toBe(409);
    const requests: ExperimentRequest[] = [];
    const options = { ...streamOfRequests, schema: z.string(), format: "text", concurrency: 1 } as const;
    await using _scheduler = await backbone().bus.consume(options, async (text, { reply }) => {
      requests.push(ExperimentRequest.parse(JSON.parse(text)));
      await reply?.({ status: "accepted", experimentId: `exp-5${requests.length}`, episodes: 1 });
    });
    const resumed = await researcher("/v1/experiments/exp-4/resume", { method: "POST" });
    expect(await resumed.json()).toEqual({
      started: [
        { experimentId: "exp-51", episodes: 1, numbers: [2] },
        { experimentId: "exp-52", episodes: 1, numbers: [1] },
      ],
    });
    expect(requests.map(({ model, episodes, agentSeed }) => ({ model, episodes, agentSeed }))).toEqual([
      { model: ["a"], episodes: [1], agentSeed: "exp-4" },
      { model: ["b"], episodes: [0], agentSeed: "exp-4" },
    ]);
  });

  test("a defect of ours is another error than a service that is away, and is answered without its details", async () => {
    const researcher = await gateway().as("researcher");
    const away = await researcher("/v1/clusters");
    expect([away.status, await away.json()]).toMatchObject([503, { error: { code: "bus-unreachable" } }]);
    const { bus } = backbone();
    await using _broken = await bus.serve(subjects.clustersQuery, "scheduler", z.unknown(), async () => {
      throw terminal("internal", "a stack and /etc/paths of ours");
    });
    const broken = await researcher("/v1/clusters");
    const text = await broken.text();
    expect([broken.status, text]).toEqual([500, expect.not.stringContaining("/etc/paths")]);
    expect(gateway().logged()).toContain("/etc/paths");
  });

  test("suites, problems with what agents are given of them, and the catalogue", async () => {
    const researcher = await gateway().as("researcher");
    const get = async (path: string) =>
      (await (await researcher(`/v1${path}`)).json()) as Record<string, Record<string, unknown>[]>;
    const { suites } = await get("/suites");
    expect(suites).toContainEqual(expect.objectContaining({ name: "microremed@1", problems: 456 }));
    expect(suites).toContainEqual(expect.objectContaining({ name: "easy@1", kind: "faults" }));
    const ofFaults = await researcher("/v1/suites/easy@1/problems");
    expect([ofFaults.status, await ofFaults.text()]).toEqual([
      404,
      expect.stringContaining("a suite of faults"),
    ]);
    const { problems = [] } = await get("/suites/microremed@1/problems");
    const id = String(problems[0]?.["id"]);
    expect(await get(`/suites/${id.replace("/", "/problems/")}`)).toEqual(problems[0]);
    const path = `/suites/${id.replace("/", "/problems/")}/description`;
    const given = await get(path);
    expect(given).toMatchObject({ id, tasks: [{ given: expect.stringContaining("# Failure report") }] });
    expect(given).not.toHaveProperty("solution");
    expect(await get(`${path}?solution=true`)).toHaveProperty("solution");
    expect((await researcher("/v1/suites/microremed@1/problems/none")).status).toBe(404);
    const { entries } = await get("/catalogue/tools");
    expect(entries).toContainEqual(
      expect.objectContaining({ name: "get_logs", arguments: expect.objectContaining({ type: "object" }) }),
    );
    expect((await researcher("/v1/catalogue/secrets")).status).toBe(400);
  });

  test("sessions take every suite that is listed, and no suite is left out of the list", async () => {
    const researcher = await gateway().as("researcher", { mostSessions: 100 });
    const { suites } = (await (await researcher("/v1/suites")).json()) as {
      suites: { name: string; problems: number }[];
    };
    for (const { name } of suites) {
      const opened = await researcher("/v1/sessions", json({ agent: "x", suite: name }));
      expect([name, opened.status]).toEqual([name, 201]);
    }
    const all = (await builtInCatalogue()).suites.all();
    const toRun = all.filter(({ draw }) => draw.length === 0).map(({ name }) => name);
    expect(suites.map(({ name }) => name).toSorted()).toEqual(toRun.toSorted());
    const unknown = await researcher("/v1/sessions", json({ agent: "x", suite: "zzzzzzzz@9" }));
    const known = (await unknown.text()).match(/[a-z-]+@\d/g) ?? [];
    expect(known.filter((name) => !toRun.includes(name) && !name.startsWith("zzz"))).toEqual([]);
  });
}
