import { expect, test } from "vitest";
import { runtimeOf } from "./runtime.ts";

const node = (containerRuntimeVersion: string, kubeletVersion = "v1.31.4") =>
  runtimeOf({ containerRuntimeVersion, kubeletVersion })?.socketPath;

test("the runtime's socket follows from what a node says of itself", () => {
  expect(node("containerd://1.7.22")).toBe("/run/containerd/containerd.sock");
  expect(node("containerd://1.7.22-k3s1", "v1.31.4+k3s1")).toBe("/run/k3s/containerd/containerd.sock");
  expect(node("containerd://1.7.22-k3s1", "v1.31.4+rke2r1")).toBe("/run/k3s/containerd/containerd.sock");
  expect(node("cri-o://1.31.0")).toBe("/var/run/crio/crio.sock");
  expect(node("docker://27.1")).toBe("/var/run/docker.sock");
  expect(node("kata://1")).toBeUndefined();
});
