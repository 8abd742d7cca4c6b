import { area } from "../area.ts";
import { box, deployment } from "../manifests.ts";
import { condition } from "../match.ts";
import { event, given, gone, is, replicas, run, until } from "../steps/index.ts";
import { inside } from "../steps/inside.ts";
import { holds, injected, oneOf, ping, prepared, verdict } from "./chaos-faults.ts";
import { all, chaos, cpu, io } from "./chaos-objects.ts";

const injectedCpu = [...prepared, given(chaos("StressChaos", cpu)), until("stresschaos/x", holds("AllInjected"))];

export const experiments = area(
  "Chaos Mesh: experiments",
  {
    "go from selection to injection": [
      ...injectedCpu,
      is("stresschaos/x", {
        status: {
          experiment: {
            desiredPhase: "Run",
            containerRecords: [
              { id: /^\$NS\/box-\S+\/main$/, selectorKey: ".", phase: "Injected", injectedCount: 1, recoveredCount: 0, events: [{ type: "Succeeded", operation: "Apply" }] },
            ],
          },
          instances: {},
        },
      }),
      until("stresschaos/x", condition("Selected", "True")),
      until("stresschaos/x", condition("AllRecovered", "False")),
      until("stresschaos/x", condition("Paused", "False")),
    ],
    "hold themselves by a finalizer": [...injectedCpu, is("stresschaos/x", { metadata: { finalizers: ["chaos-mesh/records"] } })],
    "recover before they go": [...injectedCpu, run("delete stresschaos x", /"x" deleted/), gone("stresschaos/x"), ...oneOf("cpu stress").good],
    "kubectl wait knows their conditions": [
      ...prepared,
      given(chaos("StressChaos", cpu)),
      run("wait --for=condition=AllInjected stresschaos/x --timeout=60s", "stresschaos.chaos-mesh.org/x condition met"),
    ],
    "find no pod": [
      given(chaos("StressChaos", cpu)),
      event("x", "Failed", /no pod is selected/, "Warning"),
      until("stresschaos/x", condition("Selected", "False")),
      run("delete stresschaos x"),
    ],
    "record what they did as events": [...injectedCpu, event("x", "Applied", /Successfully apply chaos for \S+\/box-/)],
    "select once in their life": [
      ...injectedCpu,
      run("scale deploy box --replicas=2"),
      replicas("deploy/box", 2),
      is("stresschaos/x", { status: { experiment: { containerRecords: [{}] } } }),
    ],
    "hit one of several": [
      given(deployment("box", { replicas: 2 }, box())),
      replicas("deploy/box", 2),
      given(chaos("StressChaos", { ...cpu, mode: "one" })),
      until("stresschaos/x", { status: { experiment: { containerRecords: [{ phase: "Injected" }] } } }),
    ],
    "pod-kill deletes a pod once": [
      ...prepared,
      given(chaos("PodChaos", { ...all, action: "pod-kill" })),
      until("podchaos/x", holds("AllInjected")),
      replicas("deploy/box", 1),
      is("podchaos/x", { status: { experiment: { desiredPhase: "Run", containerRecords: [{ injectedCount: 1 }] } } }),
    ],
    "container-kill restarts a container": [
      ...prepared,
      given(chaos("PodChaos", { ...all, action: "container-kill", containerNames: ["main"] })),
      until("pod?labelSelector=app=box", { items: [{ status: { containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 137 } } }] } }] }),
    ],
    "a network fault makes a child per pod": [
      ...injected(oneOf("network delay")),
      until("podnetworkchaos", {
        items: [{ metadata: { name: /^box-/, ownerReferences: [{ kind: "Pod" }] }, spec: { tcs: [{ type: "netem", source: "$NS/x", delay: { latency: "500ms" } }] } }],
      }),
    ],
    "a partition cuts both ways": [
      ...prepared,
      given(chaos("NetworkChaos", { ...all, action: "partition", direction: "both", target: { mode: "all", selector: { labelSelectors: { app: "peer" } } } })),
      until("networkchaos/x", holds("AllInjected")),
      inside("box", verdict(`! ${ping} > /dev/null`), /^faulty/),
    ],
    "a delay counts from the creation, and the object stays": [
      ...prepared,
      given(chaos("StressChaos", { ...cpu, duration: "10s" })),
      until("stresschaos/x", { status: { experiment: { desiredPhase: "Stop" } } }),
      until("stresschaos/x", holds("AllRecovered")),
      is("stresschaos/x", { metadata: { deletionTimestamp: undefined } }),
    ],
    "a volume path that is no mount fails": [
      ...prepared,
      given(chaos("IOChaos", { ...io, volumePath: "/tmp" })),
      event("x", "Failed", /toda startup takes too long or an error occurs: source: \/tmp, target: \/__chaosfs__tmp__/, "Warning"),
      run("delete pod -l app=box"),
    ],
  },
  "chaos-mesh",
);
