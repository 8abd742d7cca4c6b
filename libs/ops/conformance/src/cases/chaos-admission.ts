import { area } from "../area.ts";
import type { Step } from "../case.types.ts";
import { fails, given, is, run } from "../steps/index.ts";
import { all, chaos, cpu, delay, io } from "./chaos-objects.ts";

const denied = (kind: string, spec: object, text: RegExp): Step[] => [
  fails("create -f -", new RegExp(`admission webhook "v${kind.toLowerCase()}\\.kb\\.io" denied the request: .*${text.source}`), { input: chaos(kind, spec) }),
];
const illTyped = (kind: string, spec: object, text: RegExp): Step[] => [
  fails("create -f -", new RegExp(`admission webhook "m${kind.toLowerCase()}\\.kb\\.io" denied the request: json: cannot unmarshal .*${text.source}`), {
    input: chaos(kind, spec),
  }),
];
const invalid = (kind: string, spec: object, text: RegExp): Step[] => [fails("create -f -", text, { input: chaos(kind, spec) })];

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
