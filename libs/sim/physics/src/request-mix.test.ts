import { environments } from "@microremed/environments";
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
