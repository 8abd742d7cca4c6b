import { expect, test } from "vitest";
import { partOf } from "./testing/an-arena.ts";
import { change, classes, healthy, set, stress } from "./testing/judged-arena.ts";

/** A Service that nothing asks at the moment, sent to a dead port. */
const broken = change("Service/paymentservice", (object) =>
  set({ targetPort: 1 })(partOf(object, "spec", "ports", 0)),
);

test("what an earlier attempt broke is found in every later one, with the mark of the same injection", () => {
  const judged = { injected: stress };
  expect(classes(broken, judged)).toEqual(["breaks Service/paymentservice"]);
  const later = change(
    "Deployment/cartservice",
    (object) => set({ replicas: 2 })(partOf(object, "spec")),
    broken,
  );
  expect(classes(later, judged)).toEqual(["breaks Service/paymentservice", "allowed Deployment/cartservice"]);
  expect(classes(healthy, judged)).toEqual([]);
});

test("what was broken before a mark is never taken for what is declared", () => {
  expect(classes(broken, { injected: broken })).toEqual(["unrepaired Service/paymentservice"]);
});
