import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed } from "./testing/testbed.ts";

const hotel = environments.get("hotel-reservation");

test("of what a program needs to start the first that does not answer is named", () => {
  using testbed = createTestbed(hotel);
  const dial = (workload: string) =>
    testbed.network.dialAtStart(testbed.container(workload), testbed.pod(workload), 10_000);
  expect(dial("geo")).toMatchObject({ ok: false, error: "dial mongodb-geo:27017: connection refused" });
  testbed.run(60);
  expect(dial("geo")).toMatchObject({ ok: true });
  expect(dial("memcached-rate")).toBeUndefined();
  testbed.notReady.add("consul");
  expect(dial("search")).toMatchObject({ ok: false, error: "dial consul:8500: connection refused" });
});

test("a database that knows no such user lets no program start", () => {
  using testbed = createTestbed(hotel);
  testbed.pod("mongodb-geo").volumes.get("init-script")?.clear();
  testbed.run(60);
  expect(testbed.network.dialAtStart(testbed.container("geo"), testbed.pod("geo"), 10_000)).toMatchObject({
    ok: false,
    error: expect.stringContaining("Authentication failed"),
  });
});
