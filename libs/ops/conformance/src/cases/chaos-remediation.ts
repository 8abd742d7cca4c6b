import { area } from "../area.ts";
import type { Step } from "../case.types.ts";
import { fails, is, replicas, run, until } from "../steps/index.ts";
import { type Fault, faults, holds, injected, oneOf } from "./chaos-faults.ts";

function cellsOf(name: string, fault: Fault): Record<string, Step[]> {
  const { plural, good, bad, survivesRestart } = fault;
  const start = injected(fault);
  const cells: Record<string, Step[]> = {
    "ends when the experiment is deleted": [...start, run(`delete ${plural} x`, /deleted/), ...good],
    "ends while the experiment pauses, and comes back": [
      ...start,
      run(`annotate ${plural} x experiment.chaos-mesh.org/pause=true`),
      until(`${plural}/x`, holds("Paused")),
      ...good,
      run(`annotate ${plural} x experiment.chaos-mesh.org/pause-`),
      ...bad,
    ],
    "ends when its time is over": [
      ...injected(fault, { duration: "25s" }).slice(0, -fault.bad.length),
      until(`${plural}/x`, { status: { experiment: { desiredPhase: "Stop" } } }),
      until(`${plural}/x`, holds("AllRecovered")),
      ...good,
    ],
    "ends when the pod is replaced, while the experiment says AllInjected": [
      ...start,
      run("delete pod -l app=box"),
      replicas("deploy/box", 1),
      ...good,
      is(`${plural}/x`, holds("AllInjected")),
    ],
    "ends when the deployment is restarted": [...start, run("rollout restart deploy box"), run("rollout status deploy box --timeout=60s"), ...good],
  };
  if (plural !== "podchaos") {
    cells[survivesRestart ? "outlives a restart of the container" : "ends when the container restarts"] = [
      ...start,
      run("exec deploy/box -- kill 1"),
      until("pod?labelSelector=app=box", { items: [{ status: { containerStatuses: [{ restartCount: 1, ready: true }] } }] }),
      ...(survivesRestart ? bad : good),
    ];
  }
  return Object.fromEntries(Object.entries(cells).map(([cell, steps]) => [`${name} ${cell}`, steps]));
}

const childPatch = (plural: string, patch: string): Step => ({
  async run({ kubectl }) {
    const { stdout } = await kubectl(["get", plural, "-o", "jsonpath={.items[0].metadata.name}"]);
    const { exit, stderr } = await kubectl(["patch", plural, stdout, "--type=merge", "-p", patch]);
    if (exit !== 0) throw new Error(stderr);
  },
});

export const remediation = area(
  "Chaos Mesh: remediation",
  {
    ...Object.assign({}, ...Object.entries(faults).map(([name, fault]) => cellsOf(name, fault))),
    "cpu stress ends when its processes are killed": [...injected(oneOf("cpu stress")), run("exec deploy/box -- sh -c 'pkill stress-ng; true'"), ...oneOf("cpu stress").good],
    "memory stress ends when its processes are killed": [
      ...injected(oneOf("memory stress")),
      run("exec deploy/box -- sh -c 'pkill memStress; true'"),
      ...oneOf("memory stress").good,
    ],
    "network loss ends when the child's list is emptied": [...injected(oneOf("network loss")), childPatch("podnetworkchaos", '{"spec":{"tcs":[]}}'), ...oneOf("network loss").good],
    "network delay ends when the child's list is emptied": [
      ...injected(oneOf("network delay")),
      childPatch("podnetworkchaos", '{"spec":{"tcs":[]}}'),
      ...oneOf("network delay").good,
    ],
    "network loss outlives the deletion of its child, but not that of the experiment": [
      ...injected(oneOf("network loss")),
      run("delete podnetworkchaos --all"),
      ...oneOf("network loss").bad,
      run("delete networkchaos x"),
      ...oneOf("network loss").good,
    ],
    "disk fault outlives the deletion of its child": [...injected(oneOf("disk fault")), run("delete podiochaos --all"), ...oneOf("disk fault").bad],
    "disk fault ends when the child's list is emptied": [...injected(oneOf("disk fault")), childPatch("podiochaos", '{"spec":{"actions":[]}}'), ...oneOf("disk fault").good],
    "disk fault ends when toda is stopped": [...injected(oneOf("disk fault")), run("exec deploy/box -- sh -c 'pkill toda; true'"), ...oneOf("disk fault").good],
    "name resolution fault ends when resolv.conf is rewritten": [
      ...injected(oneOf("name resolution fault")),
      run("exec deploy/box -- sh -c 'cat /etc/resolv.conf.chaos.bak > /etc/resolv.conf || echo nameserver 10.96.0.10 > /etc/resolv.conf'"),
      ...oneOf("name resolution fault").good,
    ],
    "network loss needs more rights than a container has to be taken off by hand": [
      ...injected(oneOf("network loss")),
      fails("exec deploy/box -- tc qdisc del dev eth0 root", /(not found|Operation not permitted)/, { exit: "any" }),
      ...oneOf("network loss").bad,
    ],
    "pod failure ends when the old image is set again": [
      ...injected(oneOf("pod failure")),
      {
        run: async ({ kubectl }) => {
          const { stdout } = await kubectl(["get", "pods", "-l", "app=box", "-o", "jsonpath={.items[0].metadata.name}"]);
          const { exit, stderr } = await kubectl(["set", "image", `pod/${stdout}`, "main=busybox:1.35"]);
          if (exit !== 0) throw new Error(stderr);
        },
      },
      ...oneOf("pod failure").good,
    ],
  },
  "chaos-mesh",
);
