import { area } from "../area.ts";
import type { Step } from "../case.types.ts";
import { box, deployment, manifest, pod } from "../manifests.ts";
import { condition, type Shape } from "../match.ts";
import { event, fails, given, gone, is, ready, replicas, run, until } from "../steps/index.ts";
import { inside } from "../steps/inside.ts";

const chaos = (kind: string, spec: object, metadata: Readonly<Record<string, unknown>> = {}) => manifest(`chaos-mesh.org/v1alpha1 ${kind}`, "x", { spec }, metadata);
const all = { mode: "all", selector: { labelSelectors: { app: "box" } } };
const cpu = { ...all, stressors: { cpu: { workers: 1, load: 50 } } };
const denied = (kind: string, spec: object, text: RegExp): Step[] => [
  fails("create -f -", new RegExp(`admission webhook "v${kind.toLowerCase()}\\.kb\\.io" denied the request: .*${text.source}`), { input: chaos(kind, spec) }),
];
const illTyped = (kind: string, spec: object, text: RegExp): Step[] => [
  fails("create -f -", new RegExp(`admission webhook "m${kind.toLowerCase()}\\.kb\\.io" denied the request: json: cannot unmarshal .*${text.source}`), {
    input: chaos(kind, spec),
  }),
];
const invalid = (kind: string, spec: object, text: RegExp): Step[] => [fails("create -f -", text, { input: chaos(kind, spec) })];
const delay = { ...all, action: "delay", delay: { latency: "100ms" } };
const io = { ...all, action: "latency", volumePath: "/data", delay: "100ms", percent: 100 };

export const admission = area(
  "Chaos Mesh: admission",
  {
    "fixed without a value": denied(
      "PodChaos",
      { ...all, mode: "fixed", action: "pod-kill" },
      /Spec\.ContainerSelector\.(PodSelector\.)?value: Invalid value: "": parse value field error:strconv\.Atoi: parsing "": invalid syntax/,
    ),
    "fixed 0": denied("PodChaos", { ...all, mode: "fixed", value: "0", action: "pod-kill" }, /value must be greater than 0 with mode:fixed/),
    "fixed-percent 101": denied(
      "PodChaos",
      { ...all, mode: "fixed-percent", value: "101", action: "pod-kill" },
      /value of 101 is invalid, Must be \(0,100\] with mode:fixed-percent/,
    ),
    "a duration without a unit": denied(
      "StressChaos",
      { ...cpu, duration: "300" },
      /Spec\.Duration: Invalid value: "300": parse duration field error: ?time: missing unit in duration "?300"?/,
    ),
    "a duration with an unknown unit": denied("StressChaos", { ...cpu, duration: "5minutes" }, /time: unknown unit "minutes" in duration/),
    "no stressors": denied("StressChaos", all, /Spec: Invalid value: [\s\S]*missing stressors/),
    "an empty list of stressors": denied("StressChaos", { ...all, stressors: {} }, /Spec\.Stressors: Invalid value: [\s\S]*missing stressors/),
    "a size that is none": denied(
      "StressChaos",
      { ...all, stressors: { memory: { workers: 1, size: "256Q" } } },
      /Spec\.Stressors\.MemoryStressor\.Size: Invalid value: "256Q": incorrect bytes format: invalid size: '256Q'/,
    ),
    "a size above all": denied("StressChaos", { ...all, stressors: { memory: { workers: 1, size: "150%" } } }, /illegal proportion/),
    "a latency without a unit": denied(
      "NetworkChaos",
      { ...delay, delay: { latency: "100" } },
      /Spec\.TcParameter\.Delay\.Latency: Invalid value: "100": parse duration field error: ?time: missing unit in duration "?100"?/,
    ),
    "a loss with a percent sign": denied(
      "NetworkChaos",
      { ...all, action: "loss", loss: { loss: "50%" } },
      /Spec\.TcParameter\.Loss\.Loss: Invalid value: "50%": parse correlation field error:strconv\.ParseFloat: parsing "50%": invalid syntax/,
    ),
    "both directions without a target": denied(
      "NetworkChaos",
      { ...delay, direction: "both" },
      /Spec\.direction: Invalid value: "both": `from` and `both` direction cannot be used when targets is empty in netem action/,
    ),
    "outside targets from the outside": denied(
      "NetworkChaos",
      { ...delay, direction: "from", externalTargets: ["example.com"], target: { mode: "all", selector: { labelSelectors: { app: "y" } } } },
      /external targets cannot be used with `from` and `both` direction in netem action yet/,
    ),
    "a rate of nonsense": denied(
      "NetworkChaos",
      { ...all, action: "bandwidth", bandwidth: { rate: "1mbs", limit: 1000, buffer: 1000 } },
      /Spec\.TcParameter\.Bandwidth\.Rate: Invalid value: "1mbs": parse rate field error:invalid unit/,
    ),
    "a disk fault without errno": denied("IOChaos", { ...all, action: "fault", volumePath: "/data" }, /Spec\.Errno: Invalid value: 0x0: action fault: errno 0 is not supported/),
    "a percentage of 101": denied("IOChaos", { ...io, percent: 101 }, /Spec\.Percent: Invalid value: 101: percent field should be in 0-100/),
    "container-kill without containers": denied(
      "PodChaos",
      { ...all, action: "container-kill" },
      /Spec\.containerNames: Invalid value: \[\]string\(nil\): the name of container is required on container-kill action: invalid value/,
    ),
    "an offset in days": denied(
      "TimeChaos",
      { ...all, timeOffset: "1d" },
      /Spec\.TimeOffset: Invalid value: "1d": parse timeOffset field error:time: unknown unit "d" in duration "1d"/,
    ),
    "HTTP without a port": denied("HTTPChaos", { ...all, target: "Request", abort: true }, /Spec\.Port: Invalid value: 0: port 0 is not supported/),
    "HTTP with an unknown method": denied("HTTPChaos", { ...all, target: "Request", port: 80, method: "FOO", abort: true }, /Spec\.Method: [\s\S]*method FOO is not supported/),
    "a number for a loss": illTyped("NetworkChaos", { ...all, action: "loss", loss: { loss: 50 } }, /number into Go struct field LossSpec\.spec\.loss\.loss of type string/),
    "text for workers": illTyped("StressChaos", { ...all, stressors: { cpu: { workers: "1" } } }, /string into Go struct field \S*workers of type int/),
    "an unknown mode": invalid(
      "StressChaos",
      { ...cpu, mode: "two" },
      /The StressChaos "x" is invalid: .*spec\.mode: Unsupported value: "two": supported values: "one", "all", "fixed", "fixed-percent", "random-max-percent"/,
    ),
    "an unknown action": invalid(
      "PodChaos",
      { ...all, action: "pod-kiss" },
      /spec\.action: Unsupported value: "pod-kiss": supported values: "pod-kill", "pod-failure", "container-kill"/,
    ),
    "no selector": invalid("StressChaos", { mode: "all", stressors: cpu.stressors }, /spec\.selector: Required value/),
    "no mode": invalid("StressChaos", { selector: all.selector, stressors: cpu.stressors }, /spec\.mode: (Required value|Unsupported value: "")/),
    "an unknown field": invalid("StressChaos", { ...cpu, intensity: 11 }, /unknown field "spec\.intensity"/),
    "a spec that changes": [
      given(chaos("StressChaos", cpu)),
      fails(`patch stresschaos x --type=merge -p '{"spec":{"duration":"9m"}}'`, /denied the request: .*Cannot update chaos spec/),
      run("label stresschaos x a=b", /labeled/),
    ],
    "the default selector is the own namespace": [given(chaos("StressChaos", cpu)), is("stresschaos/x", { spec: { selector: { namespaces: ["$NS"] } } })],
    columns: [given(chaos("StressChaos", { ...cpu, duration: "5m" })), run("get stresschaos", "NAME DURATION\nx 5m")],
    "columns of network faults": [given(chaos("NetworkChaos", { ...delay, duration: "5m" })), run("get networkchaos", /^NAME +ACTION +DURATION\nx +delay +5m\n$/)],
  },
  "chaos-mesh",
);

const peer = pod("peer", box());
const target = deployment("box", {}, box({ volumeMounts: [{ name: "data", mountPath: "/data" }], resources: { limits: { memory: "256Mi" } } }), {
  volumes: [{ name: "data", emptyDir: {} }],
});
const prepared = [
  given(target, peer, manifest("v1 Service", "peer", { spec: { clusterIP: "None", selector: { app: "peer" }, ports: [{ port: 80 }] } })),
  replicas("deploy/box", 1),
  ready("peer"),
  until("ep/peer", { subsets: [{}] }),
];
const verdict = (faulty: string): string => `if ${faulty}; then echo faulty; else echo fine; fi`;
const ping = "ping -c 1 -W 2 peer.$NS.svc.cluster.local";

interface Fault {
  readonly kind: string;
  readonly plural: "stresschaos" | "networkchaos" | "iochaos" | "dnschaos" | "podchaos";
  readonly spec: object;
  /** Steps that see the fault, or that see none. */
  readonly bad: readonly Step[];
  readonly good: readonly Step[];
  readonly survivesRestart: boolean;
}

/** A fault that a shell command in the container notices. */
const noticed = (command: string): Pick<Fault, "bad" | "good"> => ({ bad: [inside("box", verdict(command), /^faulty/)], good: [inside("box", verdict(command), /^fine/)] });

const paused = (yes: boolean): Shape => ({
  items: (pods: { metadata: { deletionTimestamp?: string }; spec: { containers: { image: string }[] } }[]) =>
    pods.every((each) => each.metadata.deletionTimestamp !== undefined || /pause/.test(each.spec.containers[0]?.image ?? "") === yes),
});

const faults: Readonly<Record<string, Fault>> = {
  "cpu stress": { kind: "StressChaos", plural: "stresschaos", spec: cpu, survivesRestart: false, ...noticed("ps | grep -q '[s]tress-ng'") },
  "memory stress": {
    kind: "StressChaos",
    plural: "stresschaos",
    spec: { ...all, stressors: { memory: { workers: 1, size: "32MiB" } } },
    survivesRestart: false,
    ...noticed("ps | grep -q '[m]emStress'"),
  },
  "network loss": {
    kind: "NetworkChaos",
    plural: "networkchaos",
    spec: { ...all, action: "loss", loss: { loss: "100" } },
    survivesRestart: true,
    ...noticed(`! ${ping} > /dev/null`),
  },
  "network delay": {
    kind: "NetworkChaos",
    plural: "networkchaos",
    spec: { ...all, action: "delay", delay: { latency: "500ms" } },
    survivesRestart: true,
    ...noticed(`${ping} | grep -q 'time=[5-9][0-9][0-9]'`),
  },
  "disk fault": {
    kind: "IOChaos",
    plural: "iochaos",
    spec: { ...all, action: "fault", volumePath: "/data", errno: 5, percent: 100 },
    survivesRestart: false,
    ...noticed("! dd if=/dev/zero of=/data/f bs=1k count=1 2> /dev/null"),
  },
  "name resolution fault": {
    kind: "DNSChaos",
    plural: "dnschaos",
    spec: { ...all, action: "error" },
    survivesRestart: true,
    ...noticed("! nslookup kubernetes.default.svc.cluster.local > /dev/null 2>&1"),
  },
  "pod failure": {
    kind: "PodChaos",
    plural: "podchaos",
    spec: { ...all, action: "pod-failure" },
    survivesRestart: true,
    bad: [until("pod?labelSelector=app=box", paused(true))],
    good: [until("pod?labelSelector=app=box", paused(false)), replicas("deploy/box", 1)],
  },
};

const holds = (name: string): Shape => condition(name, "True");

function injected({ kind, plural, spec, bad }: Fault, more: object = {}): Step[] {
  return [...prepared, given(chaos(kind, { ...spec, ...more })), until(`${plural}/x`, holds("AllInjected")), ...bad];
}

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

const oneOf = (name: string): Fault => faults[name] as Fault;
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
    "tell what they did": [...injectedCpu, event("x", "Applied", /Successfully apply chaos for \S+\/box-/)],
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
