import type { Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import { mountedVolumes, withMostOfEach } from "./read-volumes.ts";
import { volumeFinding } from "./volume-findings.ts";

const classOf = (before: [number, number], now: [number, number], keepsData = true) =>
  volumeFinding({ files: before[0], kib: before[1] }, { files: now[0], kib: now[1] }, keepsData)?.class;

test("a store that has lost most of its files is broken; one that has tidied up is not", () => {
  expect(classOf([10, 500], [0, 4])).toBe("breaks");
  expect(classOf([10, 500], [4, 500])).toBe("breaks");
  expect(classOf([10, 500], [5, 100])).toBeUndefined();
  expect(classOf([1, 8], [0, 4])).toBe("breaks");
  expect(classOf([0, 4], [0, 4])).toBeUndefined();
});

test("files of a workload that keeps no data come and go", () => {
  expect(classOf([10, 500], [0, 4], false)).toBeUndefined();
});

test("what fills a volume is left there, whatever workload has it; growth by itself is none", () => {
  expect(classOf([5, 4], [2000, 900], false)).toBe("foreign");
  expect(classOf([900, 4], [1700, 900])).toBeUndefined();
  expect(classOf([1, 4], [2, 70_000], false)).toBe("foreign");
  expect(classOf([9, 100_000], [9, 180_000])).toBeUndefined();
  expect(classOf([1, 4], [3, 30_000])).toBeUndefined();
});

const pod = (uid: string) =>
  ({
    metadata: { name: uid, uid },
    spec: {
      containers: [
        {
          name: "main",
          volumeMounts: [
            { name: "logs", mountPath: "/logs" },
            { name: "data", mountPath: "/data" },
          ],
        },
      ],
      volumes: [
        { name: "logs", emptyDir: {} },
        { name: "data", persistentVolumeClaim: { claimName: "data-0" } },
      ],
    },
    status: { phase: "Running" },
  }) as unknown as Pod;

test("of the volumes that go with pods the most is noted for their workload, and of claims nothing", () => {
  const mounted = mountedVolumes([pod("a"), pod("b")]);
  const counted = {
    "a logs": { files: 1, kib: 9 },
    "b logs": { files: 4, kib: 5 },
    "claim data-0": { files: 7, kib: 7 },
  };
  expect(withMostOfEach(counted, mounted, () => "shop")).toEqual({
    ...counted,
    "each shop logs": { files: 4, kib: 9 },
  });
  expect(withMostOfEach(counted, mounted, () => undefined)).toEqual(counted);
});
