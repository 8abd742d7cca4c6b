import { expect, test } from "vitest";
import { withTimesMoved } from "./client-time.ts";

test("moves times of the API, and leaves texts alone", () => {
  const at = "2026-01-01T00:00:00Z";
  const object = {
    metadata: { creationTimestamp: at, annotations: { "kubectl.kubernetes.io/restartedAt": at } },
    data: { at },
    status: { conditions: [{ lastTransitionTime: at, message: at }], startTime: null, replicas: 1 },
    eventTime: "2026-01-01T00:00:00.123456Z",
  };
  expect(withTimesMoved(object, 6 * 3_600_000)).toEqual({
    metadata: { creationTimestamp: "2026-01-01T06:00:00Z", annotations: object.metadata.annotations },
    data: { at },
    status: {
      conditions: [{ lastTransitionTime: "2026-01-01T06:00:00Z", message: at }],
      startTime: null,
      replicas: 1,
    },
    eventTime: "2026-01-01T06:00:00.123456Z",
  });
});
