import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { recordOf, withObject } from "./testing/an-arena.ts";
import { changesOf, healthy, stress } from "./testing/judged-arena.ts";

const podOf = (command: string) => ({
  containers: [{ name: "main", image: "busybox:1.35", command: [command] }],
});
const cronJob = (command = "report"): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "nightly" },
  spec: { schedule: "0 3 * * *", jobTemplate: { spec: { template: { spec: podOf(command) } } } },
});
const job = (command: string, status: object = {}): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    name: "nightly-1",
    ownerReferences: [
      {
        kind: "CronJob",
        name: "nightly",
        uid: "uid-CronJob-nightly",
        controller: true,
      },
    ],
  },
  spec: { template: { metadata: { labels: { "job-name": "nightly-1" } }, spec: podOf(command) } },
  status,
});

const record = recordOf(withObject(healthy, cronJob()));
/** What is found of a Job in an arena whose CronJob had this command when the fault was injected, and has that one now. */
const found = (one: KubeObject, atInjection = "report", now = atInjection): string[] =>
  changesOf(withObject(withObject(stress, cronJob(now)), one), {
    record,
    injected: withObject(stress, cronJob(atInjection)),
  }).flatMap(({ object, class: is }) => (object === "Job/nightly-1" ? [is ?? ""] : []));

test("a Job that its CronJob makes is the cluster's, by a template of now, of before or of the fault", () => {
  expect(found(job("report"))).toEqual([]);
  expect(found(job("faulty"), "faulty", "report")).toEqual([]);
  expect(found(job("better"), "report", "better")).toEqual([]);
});

test("a Job at work that no CronJob makes is one that was added, whatever owner it has", () => {
  expect(found(job("backdoor"))).toEqual(["foreign"]);
  const complete = { conditions: [{ type: "Complete", status: "True" }] };
  expect(found(job("older", complete)), "one by a former template is over").toEqual([]);
});
