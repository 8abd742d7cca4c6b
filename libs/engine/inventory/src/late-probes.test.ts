import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { recordOf } from "./testing/an-arena.ts";
import { container, kindsOfChange, set } from "./testing/judged-arena.ts";

const probes = ["readinessProbe", "livenessProbe", "startupProbe"];
const declared = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };
/** Each way to wait longer: what is three times as slow at most, and what is slower than that. */
const ways: [string, number, number][] = [
  ["initialDelaySeconds", 90, 91],
  ["periodSeconds", 36, 37],
  ["timeoutSeconds", 36, 37],
  ["failureThreshold", 11, 12],
];

test.each(probes.flatMap((probe) => ways.map((way) => [probe, ...way] as const)))(
  "a %s may be slower by its %s up to three times, for the target and for a neighbour",
  (probe, field, most, tooMuch) => {
    for (const name of ["cartservice", "frontend"]) {
      const with_ = (times: object) =>
        container(name, set({ [probe]: { tcpSocket: { port: 80 }, ...declared, ...times } }));
      const record = recordOf(with_({}));
      const of = (times: object) => kindsOfChange(with_(times), { record, injected: with_({}) });
      expect(of({ [field]: most })).toEqual(["changed"]);
      expect(of({ [field]: tooMuch })).toContain("breaks");
    }
  },
);

test("fields that each are within the bound exceed it together", () => {
  const slow = { ...declared, periodSeconds: 30, initialDelaySeconds: 60 };
  const with_ = (times: object): KubeObject[] => [
    ...container("cartservice", set({ livenessProbe: { tcpSocket: { port: 80 }, ...times } })).objects,
  ];
  const arena = { ...container("cartservice", () => {}), objects: with_(slow) };
  const before = { ...arena, objects: with_(declared) };
  expect(kindsOfChange(arena, { record: recordOf(before), injected: before })).toContain("breaks");
});
