import { aPod, aTarget } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { declaredPorts, judgeServing } from "./index.ts";

test("every port of every pod must be open", () => {
  const state = aTarget({ pods: [aPod(), aPod({ name: "b" })] });
  const open = (ports: number[]) =>
    new Map([
      ["cartservice-1", [7070]],
      ["b", ports],
    ]);
  expect(judgeServing(state, [7070], open([7070])).passed).toBe(true);
  expect(judgeServing(state, [7070], open([]))).toMatchObject({
    passed: false,
    reason: "pod b accepts no connection on port 7070",
  });
  expect(judgeServing(state, [7070], new Map()).passed).toBe(false);
});

test("without pods nothing serves, even if no port is declared", () => {
  expect(judgeServing(aTarget({ pods: [] }), [], new Map()).passed).toBe(false);
});

test("only ports of TCP are asked, each once", () => {
  const { spec } = aTarget();
  const [container] = spec.containers;
  if (!container) throw new Error("no container");
  const ports = [
    { containerPort: 80 },
    { containerPort: 53, protocol: "UDP" as const },
    { containerPort: 80 },
  ];
  expect(declaredPorts({ spec: { ...spec, containers: [{ ...container, ports }] } })).toEqual([80]);
});
