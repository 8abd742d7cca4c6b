import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { keepMark } from "./kept-mark.ts";
import { fakeCluster } from "./testing/fake-cluster.ts";

const environment = environments.get("online-boutique");
const context = {
  cluster: fakeCluster(() => ({})),
  namespace: "shop",
  environment,
  target: "cartservice",
};

test("a mark counts for the injection and the lease that it is of, and no other", async () => {
  const { mark } = await keepMark(context, "cpu-stress", 1);
  expect(mark).toMatchObject({ failure: "cpu-stress", target: "cartservice", fence: 1 });
  const lost = { code: "arena-lost", severity: "terminal" };
  await expect(keepMark(context, "cpu-stress", 2)).rejects.toMatchObject(lost);
  await expect(keepMark(context, "pod-fail", 1)).rejects.toMatchObject(lost);
  await expect(keepMark({ ...context, target: "frontend" }, "cpu-stress", 1)).rejects.toMatchObject(lost);
});
