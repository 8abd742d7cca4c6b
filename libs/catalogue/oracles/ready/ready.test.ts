import { aPod, aService, aTarget, aWorkload, containersWith } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { judgeReady } from "./index.ts";

test("a whole workload passes", () => {
  expect(judgeReady(aTarget(), 1)).toMatchObject({ passed: true });
});

test("a readiness probe that gives a slow program more time passes", () => {
  const readinessProbe = { exec: {}, periodSeconds: 10, failureThreshold: 3 };
  expect(
    judgeReady(aTarget({ pods: [aPod({ containers: containersWith({ readinessProbe }) })] }), 1),
  ).toMatchObject({
    passed: true,
  });
});

test.each([
  ["the deployment is deleted", aTarget({ workload: undefined, pods: [] }), /does not exist/],
  ["it is scaled to zero", aTarget({ workload: aWorkload(0), pods: [], services: [] }), /scaled to 0/],
  ["the pod is not Ready", aTarget({ pods: [aPod({ ready: false })] }), /not Ready/],
  [
    "the pod has no conditions yet",
    aTarget({ pods: [{ ...aPod(), status: { phase: "Pending" } }] }),
    /not Ready/,
  ],
  [
    "an old pod still terminates",
    aTarget({ pods: [aPod(), aPod({ name: "old", terminating: true })] }),
    /2 pods instead of 1/,
  ],
  [
    "a surge pod hangs beside the old one",
    aTarget({ pods: [aPod(), aPod({ name: "new", ready: false })] }),
    /2 pods/,
  ],
  [
    "the rollout is not complete",
    aTarget({ workload: aWorkload(1, { updatedReplicas: 0 }) }),
    /0 of 1 .* updated/,
  ],
  [
    "the newest spec is not seen",
    aTarget({ workload: aWorkload(1, { observedGeneration: 2 }) }),
    /not yet seen/,
  ],
  [
    "the pod runs a pause image",
    aTarget({ pods: [aPod({ containers: containersWith({ image: "pause" }) })] }),
    /has the image pause instead of /,
  ],
  [
    "the pod is Ready only because its readiness probe is gone",
    aTarget({ pods: [aPod({ containers: containersWith({ readinessProbe: undefined }) })] }),
    /no readiness probe any more/,
  ],
  [
    "its readiness probe asks something else",
    aTarget({
      pods: [aPod({ containers: containersWith({ readinessProbe: { tcpSocket: { port: 80 } } }) })],
    }),
    /another readiness probe than its exec/,
  ],
  [
    "its readiness probe notices nothing for a week",
    aTarget({
      pods: [
        aPod({
          containers: containersWith({
            readinessProbe: { exec: {}, periodSeconds: 600, failureThreshold: 1000 },
          }),
        }),
      ],
    }),
    /takes 600000 s to notice a failure/,
  ],
  [
    "the service leads nowhere",
    aTarget({ services: [{ ...aService(), endpoints: undefined }] }),
    /does not lead to cartservice-1/,
  ],
])("fails when %s", (_what, state, reason) => {
  const verdict = judgeReady(state, 1);
  expect(verdict.passed).toBe(false);
  expect(verdict.reason).toMatch(reason);
});

test("an image that only the template has wrong is named as the template's, and no container is said to run it", () => {
  const workload = aWorkload();
  const containers = containersWith({ image: "busybox" });
  const template = { ...workload, spec: { ...workload.spec, template: { spec: { containers } } } };
  const { reason } = judgeReady(aTarget({ workload: template }), 1);
  expect(reason).toMatch(/the template of cartservice has busybox for container \w+ instead of /);
  expect(reason).not.toContain("has the image");
});

test("fails with fewer replicas than before, and without knowing how many there were", () => {
  expect(judgeReady(aTarget(), 2).passed).toBe(false);
  expect(judgeReady(aTarget(), undefined).passed).toBe(false);
});

test("a service for one of the replicas need not lead to the others", () => {
  const pods = [aPod(), aPod({ name: "cartservice-2" })];
  const [leader] = pods;
  const leading = {
    ...leader,
    metadata: { name: "cartservice-1", labels: { app: "cartservice", role: "leader" } },
  };
  const service = { ...aService(), selector: { app: "cartservice", role: "leader" } };
  const state = aTarget({ workload: aWorkload(2), pods: [leading, ...pods.slice(1)], services: [service] });
  expect(judgeReady(state, 2).passed).toBe(true);
  expect(judgeReady({ ...state, pods }, 2).reason).toMatch(/does not lead to any pod/);
});
