import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { jobPod } from "./job-pods.ts";

const aJob = (name: string): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, uid: "u", resourceVersion: "1", creationTimestamp: "" },
});
const aPod = (spec: object): NewObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { generateName: "index-" },
  spec,
});

test("a pod with an index has it in its name, its host's name, a label, an annotation and all containers", () => {
  const pod = jobPod(
    aJob("index"),
    aPod({ containers: [{ env: [{ name: "A" }] }], initContainers: [{}] }),
    3,
  );
  const key = { "batch.kubernetes.io/job-completion-index": "3" };
  expect(pod.metadata).toMatchObject({ generateName: "index-3-", labels: key, annotations: key });
  const fieldPath = "metadata.labels['batch.kubernetes.io/job-completion-index']";
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath } },
  };
  expect(pod.spec).toEqual({
    containers: [{ env: [{ name: "A" }, variable] }],
    initContainers: [{ env: [variable] }],
    hostname: "index-3",
  });
});

test("a container's own value of the index's variable stays", () => {
  const own = { env: [{ name: "JOB_COMPLETION_INDEX", value: "7" }] };
  expect(jobPod(aJob("index"), aPod({ containers: [own] }), 3).spec["containers"]).toEqual([own]);
});

test("a long name of a Job leaves room for the index and the random end of a pod's name", () => {
  const { generateName } = jobPod(aJob("j".repeat(60)), aPod({ containers: [] }), 12).metadata;
  expect(generateName).toBe(`${"j".repeat(54)}-12-`);
});

test("a pod without an index keeps its name", () => {
  const pod = jobPod(aJob("index"), aPod({ containers: [{}] }), undefined);
  expect(pod.metadata).toMatchObject({ generateName: "index-", labels: { "job-name": "index" } });
  expect(pod.spec).toEqual({ containers: [{}] });
});
