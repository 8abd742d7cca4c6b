import type { Cluster, Pod } from "@microremed/cluster";
import { retryable } from "@microremed/core";
import { expect, test } from "vitest";
import { readPrograms } from "./programs/read-programs.ts";
import { mountedVolumes, readVolumes } from "./volumes/read-volumes.ts";

const pod = {
  metadata: { name: "shop-1", namespace: "shop", uid: "u" },
  spec: {
    containers: [{ name: "main", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
    volumes: [{ name: "data", emptyDir: {} }],
  },
  status: { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] },
} as unknown as Pod;

/** A cluster in which every command ends with this error. */
const clusterOf = (code: string): Cluster =>
  ({
    clock: { hold: async () => ({ [Symbol.asyncDispose]: async () => {} }) },
    exec: () => Promise.reject(retryable(code, "no end within 10000 ms")),
  }) as unknown as Cluster;

test("a container whose commands never end has no answer, and does not end the verification", async () => {
  for (const code of ["deadline-exceeded", "cluster-refused"]) {
    const cluster = clusterOf(code);
    expect(await readPrograms(cluster, [pod])).toEqual(new Map([["shop-1/main", null]]));
    expect(await readVolumes(cluster, mountedVolumes([pod]))).toEqual({});
  }
});

test("a cluster that is away says nothing of a container", async () => {
  const cluster = clusterOf("cluster-unreachable");
  await expect(readPrograms(cluster, [pod])).rejects.toMatchObject({ code: "cluster-unreachable" });
  await expect(readVolumes(cluster, mountedVolumes([pod]))).rejects.toMatchObject({
    code: "cluster-unreachable",
  });
});
