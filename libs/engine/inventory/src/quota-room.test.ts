import type { KubeObject, Workload } from "@microremed/cluster";
import { expect, test } from "vitest";
import { leavesRoom } from "./quota-room.ts";

const quota = (hard: object, used: object = {}, spec: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "q" },
  spec: { hard, ...spec },
  status: { hard, used },
});
const workload = (kind: string, ...containers: object[]): Workload => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "cart" },
  spec: { replicas: 1, template: { spec: { containers } } } as never,
});
const cart = workload("Deployment", { resources: { limits: { memory: "100Mi" } } });

test.each([
  ["room for one more pod", quota({ "limits.memory": "300Mi" }, { "limits.memory": "200Mi" }), cart, true],
  [
    "a limit is a request too",
    quota({ "requests.memory": "300Mi" }, { "requests.memory": "250Mi" }),
    cart,
    false,
  ],
  ["no room for a rollout", quota({ "limits.memory": "250Mi" }, { "limits.memory": "200Mi" }), cart, false],
  [
    "an update that ends a pod first needs none",
    quota({ "limits.memory": "200Mi" }, { "limits.memory": "200Mi" }),
    { ...cart, kind: "StatefulSet" },
    true,
  ],
  [
    "a container that does not say what it takes",
    quota({ "limits.memory": "9Gi" }),
    workload("Deployment", {}),
    false,
  ],
  ["a quota on something else", quota({ "limits.memory": "9Gi", services: "0" }), cart, false],
  ["a quota on some pods", quota({ "limits.memory": "9Gi" }, {}, { scopes: ["Terminating"] }), cart, false],
])("%s", (_, given, of, expected) => {
  expect(leavesRoom(given, [of])).toBe(expected);
});
