import { expect, test } from "vitest";
import { createMachine } from "./create-machine.ts";
import type { PodSandbox } from "./machine.ts";

const sandbox = (uid: string, name: string, ip: string, hostNetwork = false): PodSandbox => ({
  namespace: "arena",
  name,
  uid,
  ip,
  hostname: name,
  hostNetwork,
  nodeName: "node-1",
  labels: {},
  containers: new Map(),
  volumes: new Map(),
  netem: [],
  drops: [],
});

test("sandboxes are found by address and by pod until they go", () => {
  const machine = createMachine({ keep: (state) => state });
  machine.sandboxes.set("1", sandbox("1", "web", "10.0.0.1"));
  expect(machine.byIp("10.0.0.1")?.uid).toBe("1");
  expect(machine.byPod("arena", "web")?.uid).toBe("1");
  machine.sandboxes.delete("1");
  expect(machine.byIp("10.0.0.1")).toBeUndefined();
  expect(machine.byPod("arena", "web")).toBeUndefined();
});

test("a pod of the same name that came first takes nothing of its successor along", () => {
  const machine = createMachine({ keep: (state) => state });
  machine.sandboxes.set("1", sandbox("1", "web-0", "10.0.0.1"));
  machine.sandboxes.set("2", sandbox("2", "web-0", "10.0.0.1"));
  machine.sandboxes.delete("1");
  expect(machine.byIp("10.0.0.1")?.uid).toBe("2");
  expect(machine.byPod("arena", "web-0")?.uid).toBe("2");
});

test("pods in their node's network have no address of their own, and are found by their node's", () => {
  const machine = createMachine({ keep: (state) => state });
  machine.sandboxes.set("1", sandbox("1", "proxy", "192.168.10.11", true));
  machine.sandboxes.set("2", sandbox("2", "other", "192.168.10.11", true));
  expect(machine.byIp("192.168.10.11")).toBeUndefined();
  machine.sandboxes.delete("1");
  expect([...machine.onHost("192.168.10.11")].map(({ name }) => name)).toEqual(["other"]);
  expect([...machine.onHost("192.168.10.12")]).toEqual([]);
});
