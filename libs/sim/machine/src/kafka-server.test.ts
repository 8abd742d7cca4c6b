import { expect, test } from "vitest";
import { FileTree } from "./file-tree.ts";
import { consumed, kafkaState, lagsOf, sent, withoutMembers, writeKafka } from "./kafka-server.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";

const sandboxWith = (volume: FileTree) => ({ volumes: new Map([["data", volume]]) }) as unknown as PodSandbox;
const container = (mountPath: string | undefined) =>
  ({
    env: { KAFKA_LOG_DIRS: "/var/lib/kafka/data" },
    mounts: new Map(mountPath === undefined ? [] : [[mountPath, "data"]]),
    files: new FileTree(),
  }) as unknown as ContainerRuntime;

test.each([
  ["/var/lib/kafka", ["orders"]],
  [undefined, []],
] as const)("with a volume at %s the next container has the topics %j", (mountPath, topics) => {
  const sandbox = sandboxWith(new FileTree());
  const first = container(mountPath);
  writeKafka(sandbox, first, sent(kafkaState(sandbox, first), "orders", ["1"]));
  expect(Object.keys(kafkaState(sandbox, first).topics)).toEqual(["orders"]);
  expect(Object.keys(kafkaState(sandbox, container(mountPath)).topics)).toEqual(topics);
});

test("a group whose consumer is gone has no member, and is where it was", () => {
  const state = consumed(
    sent({ type: "kafka", topics: {} }, "orders", ["1"]),
    "orders",
    { group: "a", host: "10.0.0.1" },
    1,
  );
  expect(withoutMembers(state, () => true)).toBe(state);
  const left = withoutMembers(state, () => false);
  expect(lagsOf(left)).toEqual([{ group: "a", topic: "orders", offset: 1, end: 1, lag: 0, host: undefined }]);
  expect(withoutMembers(left, () => false)).toBe(left);
});
