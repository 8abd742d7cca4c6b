import { environments } from "@microremed/environments";
import { FileTree, longFile } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createTestbed } from "./testing/testbed.ts";
import { keepToMemory, type Load } from "./usage.ts";

const mebibyte = 2 ** 20;

test("files of a tmpfs are memory of the container that mounts it, up to its limit", () => {
  using testbed = createTestbed(environments.get("simple-micro"));
  const container = testbed.restart("hello-service", { memoryLimit: 900 * mebibyte });
  const tmpfs = new FileTree();
  tmpfs.isInMemory = true;
  testbed.pod("hello-service").volumes.set("cache", tmpfs);
  (container.mounts as Map<string, string>).set("/cache", "cache");
  const fill = (mebibytes: number): void => {
    tmpfs.set("/segment", longFile(new Uint8Array(1), mebibytes * mebibyte));
    testbed.run(2);
  };
  fill(500);
  expect([container.usage.memory > 500 * mebibyte, container.oomKilled]).toEqual([true, false]);
  fill(1000);
  expect(container.oomKilled).toBe(true);
});

test.each([
  [
    "who requests nothing",
    [
      [600, 0],
      [500, 500],
    ],
    0,
  ],
  [
    "of two with requests who has most beyond",
    [
      [300, 200],
      [800, 100],
    ],
    1,
  ],
  [
    "no container while there is memory",
    [
      [300, 0],
      [400, 100],
    ],
    undefined,
  ],
])("a node without memory kills %s", (_, containers, killed) => {
  const loads = containers.map(([memory = 0, request = 0]) => {
    const container = { usage: { memory }, memoryRequest: request, memoryLimit: undefined, oomKilled: false };
    return { container } as unknown as Load;
  });
  keepToMemory(loads, 1000);
  expect(loads.map(({ container }) => container.oomKilled)).toEqual(loads.map((_, at) => at === killed));
});
