import { appendFile, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EpisodeRecord, plannedRecord } from "@microremed/contracts";
import { aVerdict } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { type AuditRun, planAudit } from "./plan-audit.ts";
import { openResults } from "./results-file.ts";
import { type RunEpisode, runAudit } from "./run-audit.ts";
import { corpus } from "./testing/corpus.ts";
import { catalogue } from "./testing/entries.ts";

const environment = catalogue.environments.get("simple-micro");
const planned = planAudit({ catalogue, corpus, environment, failures: ["network-loss"], runs: 6, seed: 1 });

/** An episode whose verdict is that nothing has recovered, whatever was done. */
function recordOf(run: AuditRun, status: "ok" | "failed"): EpisodeRecord {
  const { failure, target, playbook } = run;
  const step = {
    kind: "act",
    verdict: aVerdict,
    arguments: { playbook },
    result: { status, exitCode: 0, output: "said", wallSeconds: 1 },
  };
  const planned = { index: 0, failure, target } as Parameters<typeof plannedRecord>[1];
  const change = { outcome: "not-remediated", reason: "no", steps: [step], damage: { changes: [] } };
  return { ...plannedRecord("exp", planned), ...(change as unknown as Partial<EpisodeRecord>) };
}

const { signal } = new AbortController();
const quiet = { parallel: 2, signal, soakSeconds: 0, progress: () => {} };

test("results are saved as runs end, and an audit goes on where it stopped", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-audit-"));
  const path = join(dir.path, "results.jsonl");
  let asked = 0;
  const untilThird: RunEpisode = async (_request, run) => {
    asked++;
    if (asked === 3) throw new Error("the machine was switched off");
    return recordOf(run, "ok");
  };
  const first = runAudit(untilThird, planned, {
    ...quiet,
    parallel: 1,
    results: await openResults(path, "1"),
  });
  await expect(first).rejects.toThrow(/switched off/);
  // What was being written at that moment is no result.
  await appendFile(path, '{"key":"half');
  const resumed: string[] = [];
  const second = await runAudit(
    async (_request, run) => {
      resumed.push(run.remedy.name);
      return recordOf(run, "ok");
    },
    planned,
    { ...quiet, results: await openResults(path, "1") },
  );
  expect(second.judged).toHaveLength(planned.length);
  expect(resumed).toHaveLength(planned.length - 2);
  const third = await runAudit(() => Promise.reject(new Error("asked again")), planned, {
    ...quiet,
    results: await openResults(path, "1"),
  });
  expect(third.judged.map(({ strict }) => strict)).toEqual(planned.map(() => false));
  expect(
    (await readFile(path, "utf8")).split("\n").filter((line) => line.startsWith('{"key":')),
  ).toHaveLength(planned.length + 1);
});

test("an interrupted audit reports what had ended, and nothing of what had not", async () => {
  const interrupt = new AbortController();
  let asked = 0;
  const outcome = await runAudit(
    async (_request, run) => {
      asked++;
      if (asked < 3) return recordOf(run, "ok");
      interrupt.abort(new Error("interrupted"));
      throw interrupt.signal.reason;
    },
    planned,
    { ...quiet, parallel: 1, signal: interrupt.signal },
  );
  expect(outcome.judged).toHaveLength(2);
  expect(asked).toBe(3);
});

test("results of another version count for nothing, and a file of something else is refused", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-audit-"));
  const path = join(dir.path, "results.jsonl");
  const [run] = planned;
  if (!run) throw new Error("nothing planned");
  const result = { strict: true, clean: null, microremed: null, reason: "said" };
  await (await openResults(path, "1")).add(run, result);
  expect((await openResults(path, "1")).find(run)).toMatchObject(result);
  expect((await openResults(path, "2")).find(run)).toBeUndefined();
  expect((await openResults(path, "1")).find({ ...run, playbook: "another" })).toBeUndefined();
  await writeFile(path, "# notes\n");
  await expect(openResults(path, "1")).rejects.toThrow(/expected results of an audit/);
});

test("a playbook that failed says nothing of a judge", async () => {
  const outcome = await runAudit(async (_request, run) => recordOf(run, "failed"), planned, quiet);
  expect(outcome.judged).toEqual([]);
  expect(outcome.unjudged.map(({ why }) => why)).toEqual(
    planned.map(() => "its playbook ended failed: said"),
  );
});
