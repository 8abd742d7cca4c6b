import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { listen, portTaken } from "./port-conflict.ts";

const container = (name: string, listens: number[], more: Partial<ContainerRuntime> = {}): ContainerRuntime =>
  ({ name, init: false, startupLeft: 0, behaviour: { runtime: "go", listens }, ...more }) as ContainerRuntime;
const podOf = (...containers: ContainerRuntime[]) =>
  ({ containers: new Map(containers.map((one) => [one.name, one])) }) as unknown as PodSandbox;

test("the first program of a pod to have started gets the port, and no other after it", () => {
  const web = container("web", [80, 81], { startupLeft: 1 });
  const sidecar = container("sidecar", [81]);
  const pod = podOf(web, sidecar);
  expect([listen(pod, web), web.isListening]).toEqual([undefined, undefined]);
  expect([listen(pod, sidecar), sidecar.isListening]).toEqual([undefined, true]);
  web.startupLeft = 0;
  expect([listen(pod, web), web.isListening]).toEqual([81, undefined]);
  expect(listen(pod, sidecar)).toBeUndefined();
});

test("programs on other ports or other addresses of the pod do not meet", () => {
  const other = container("other", [90]);
  const local = container("local", [80], { boundTo: "localhost" });
  const outer = container("outer", [80], { boundTo: "pod" });
  const all = [other, local, outer];
  const pod = podOf(...all);
  expect(all.map((one) => listen(pod, one))).toEqual([undefined, undefined, undefined]);
  expect(all.map(({ isListening }) => isListening)).toEqual([true, true, true]);
});

test("each runtime has its words for it", () => {
  expect(portTaken(container("web", [80]), 80)).toBe("listen tcp :80: bind: address already in use");
  expect(portTaken({ ...container("web", [80]), behaviour: undefined }, 80)).toContain(
    "Address already in use",
  );
});
