import { type Environment, environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, namespace } from "./testing/testbed.ts";

const hotel = environments.get("hotel-reservation");

test("requests of each path make their own calls, and what fails is what they need", () => {
  using testbed = createTestbed(hotel);
  testbed.run(60);
  const rates = () =>
    Object.fromEntries(
      testbed.physics
        .edges(namespace)
        .filter(({ from }) => from === "frontend")
        .map(({ to, requestsPerSecond }) => [to, Math.round(10 * requestsPerSecond) / 10]),
    );
  expect(rates()).toEqual({
    search: 60,
    recommendation: 39,
    user: 1,
    reservation: 60.5,
    profile: 99,
    consul: 0,
  });

  testbed.notReady.add("user");
  testbed.restart("frontend");
  testbed.run(60);
  const { ip } = testbed.pod("frontend");
  const answers = ["/hotels?inDate=2015-04-09", "/recommendations", "/user", "/reservation"].map(
    (path) => testbed.network.httpGet("node", ip, 5000, path, 5000).status,
  );
  expect(answers).toEqual([200, 200, 500, 500]);
  expect(rates()).toMatchObject({ search: 60, recommendation: 39, reservation: 60, profile: 99, consul: 0 });
  const served = testbed.physics.services(namespace).find(({ workload }) => workload === "frontend");
  expect(served?.successRatio).toBeCloseTo(0.99, 3);
});

/** The system with a readiness probe of a workload, and callers that ask the workload for a path. */
function probed(name: string, path: string, called: string): Environment {
  const workload = hotel.workloads[name];
  const [container] = workload?.containers ?? [];
  if (!workload || !container) throw new Error(`the system has no ${name}`);
  const times = { initialDelaySeconds: 0, periodSeconds: 10, timeoutSeconds: 1 };
  const counts = { successThreshold: 1, failureThreshold: 3 };
  const port = container.behaviour.listens[0] ?? 0;
  const readinessProbe = { type: "http" as const, port, path, headers: {}, ...times, ...counts };
  const workloads = Object.entries(hotel.workloads).map(([caller, { calls, ...others }]) => {
    const asking = calls.map((call) => (call.to === name ? { ...call, paths: [called] } : call));
    const containers = caller === name ? [{ ...container, readinessProbe }] : others.containers;
    return [caller, { ...others, calls: asking, containers }] as const;
  });
  return { ...hotel, workloads: Object.fromEntries(workloads) };
}

test.each([
  { who: "users ask for, too", workload: "frontend", needs: "user", path: "/user", status: 500 },
  { who: "callers ask for, too", workload: "search", needs: "geo", path: "/nearby", status: 500 },
  { who: "nothing else asks for", workload: "frontend", needs: "user", path: "/healthz", status: 200 },
  { who: "nothing else asks for", workload: "search", needs: "geo", path: "/healthz", status: 200 },
])("a probe's path that $who: $path at $workload without $needs", ({ workload, needs, path, status }) => {
  using testbed = createTestbed(probed(workload, path, "/nearby"));
  const { ip } = testbed.pod(workload);
  const [port = 0] = testbed.container(workload).behaviour?.listens ?? [];
  const ask = () => testbed.network.httpGet("node", ip, port, path, 5000).status;
  testbed.run(60);
  expect(ask()).toBe(200);
  testbed.notReady.add(needs);
  testbed.restart(workload);
  testbed.run(60);
  expect(ask()).toBe(status);
});
