import { expect, test } from "vitest";
import { questionOf } from "./question-of.ts";
import { renderTopology } from "./topology.ts";

test("questions are arguments, never text for a shell to read", () => {
  const logs = {
    kind: "logs",
    of: "deployment/cart",
    container: "server",
    previous: true,
    lines: 5,
  } as const;
  expect(questionOf(logs).argv).toEqual([
    "kubectl",
    "logs",
    "deployment/cart",
    "--tail=5",
    "--container=server",
    "--previous",
  ]);
  expect(questionOf({ kind: "metrics" }).argv).toEqual(["kubectl", "top", "pods", "--containers"]);
  expect(questionOf({ kind: "events", of: "cart-0" }).argv.at(-1)).toBe(
    "--field-selector=involvedObject.name=cart-0",
  );
});

test("events of a kind leave out those of another object of that name", () => {
  const { render } = questionOf({ kind: "events", of: "deployment/cart" });
  const table =
    "LAST SEEN   TYPE   OBJECT            MESSAGE\n1s  Normal  deployment/cart  up\n1s  Normal  service/cart  x\n";
  expect(render?.(table)).toBe(
    "LAST SEEN   TYPE   OBJECT            MESSAGE\n1s  Normal  deployment/cart  up",
  );
});

test("the topology says what is behind a service, whether it is up and what it calls", () => {
  const printed = `Scart|{"app":"cart"}
Sredis|{"app":"redis"}
Sredis-ha|{"app":"redis-ha"}
WDeployment/cart|{"app":"cart","v":"1"}|1|2|redis:6379 http://x|y
WStatefulSet/redis|{"app":"redis"}||1|
WDeployment/load|{"app":"load"}|1|1|cart:80
Ecart|10.0.0.1|10.0.0.2 10.0.0.3
Eredis||10.0.0.9
`;
  expect(renderTopology(printed).split("\n")).toEqual([
    "service cart (addresses: 1 up, 2 down) -> deployment/cart (1/2 ready); configured to call redis",
    "service redis (addresses: 0 up, 1 down) -> statefulset/redis (0/1 ready)",
    "service redis-ha (addresses: none) -> no workload",
    "deployment/load (1/1 ready), behind no service; configured to call cart",
  ]);
  expect(renderTopology("error: you must be logged in")).toBe("error: you must be logged in");
});
