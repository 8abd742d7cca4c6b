import type { ObjectRef } from "../objects/object-ref.ts";
import { actsOn } from "./acts-on.ts";
import { longCall, shellCall } from "./common-calls.ts";
import { connectSweep } from "./connect-sweep.ts";
import type { CauseLabels, Evidence, EvidenceCall } from "./evidence.ts";
import { readInside } from "./read-inside.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

/** What a pod answers to echoes from another pod. */
export interface PingedPod {
  readonly workload: ObjectRef;
  /** Echoes that came back, of those sent: 0..1. */
  readonly share: number;
  /** Mean round trip, ms; null: none came back. */
  readonly rttMs: number | null;
}

interface ListedPod {
  readonly name: string;
  readonly ip: string;
  readonly hostIp: string;
  readonly workload: ObjectRef;
}

/** Pods of one call: a call may take 10 s. */
const chunk = 28;
/** Pods that are pinged once more, longer. */
const mostSuspects = 3;
/** A round trip within a cluster takes less, ms. */
const usualMs = 20;
/** So many bad answers in a row are the asking pod's own trouble. */
const hopeless = 3;

const fields =
  '{range .items[*]}{.metadata.name} {.status.podIP} {.status.hostIP} {.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}{"\\n"}{end}';
const listPods = shellCall(`kubectl get pods -o jsonpath='${fields}'`);
/** Pods that an update replaces meanwhile answer no more, and nothing is wrong with the network. */
const listStaying = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.status.phase} {.metadata.deletionTimestamp}{"\\n"}{end}'`,
);

/** Evidence by pings of every pod from another one: the sweep is the same for all faults that use it. */
export const pingEvidence = (labels: CauseLabels, isHit: (pod: PingedPod) => boolean): Evidence => ({
  next(answers) {
    const step = sweep(answers);
    if ("tool" in step) return step;
    const hit = step.filter(isHit).map(({ workload }) => workload);
    return onceEach(hit).map((workload) => actsOn(workload, labels));
  },
});

const onceEach = (all: readonly ObjectRef[]): ObjectRef[] => [
  ...new Map(all.map((one) => [`${one.kind}/${one.name}`, one])).values(),
];

/** The next call, or what the suspects answered. */
function sweep(answers: readonly string[]): EvidenceCall | readonly PingedPod[] {
  const [listed, who, ...rest] = answers;
  if (listed === undefined) return listPods;
  const pods = podsIn(listed);
  if (pods.length < 2) return [];
  if (who === undefined) return readInside;
  const tried = triedIn(who, pods);
  if (tried.length === 0) return byConnections(pods, who, rest);
  const well = tried.filter(isWell);
  if (well.length > 0) return pingAll(pods, well, rest);
  const silent = tried.filter(({ share }) => share === 0).slice(0, mostSuspects);
  const waited = rest.slice(0, silent.length);
  const next = silent[waited.length];
  if (next) return pingNode(next);
  const late = silent.flatMap((pinger, i) => readPings(waited[i] ?? "", [nodeOf(pinger)]));
  // A node that never answers says nothing of who asks it.
  const troubled = [...tried, ...late].filter(({ share }) => share > 0);
  if (troubled.length === 0) return pingAll(pods, silent, rest.slice(silent.length));
  return troubled.map(({ pod: { workload }, share, rttMs }) => ({ workload, share, rttMs }));
}

/** No image has a ping. */
function byConnections(
  pods: readonly ListedPod[],
  who: string,
  answers: readonly string[],
): EvidenceCall | readonly PingedPod[] {
  const found = connectSweep(pods, who, answers);
  if ("tool" in found) return found;
  return found.map(({ pod: { workload }, share, rttMs }) => ({ workload, share, rttMs }));
}

/** `share` and `rttMs` are of its echoes to its own node. */
interface Pinger extends Pinged {
  readonly container: string;
}

function pingAll(
  pods: readonly ListedPod[],
  pingers: readonly Pinger[],
  answers: readonly string[],
): EvidenceCall | readonly PingedPod[] {
  const left = [...answers];
  for (const pinger of pingers) {
    const others = pods.filter(({ ip }) => ip !== pinger.pod.ip);
    const suspects: ListedPod[] = [];
    let isHopeless = false;
    for (let from = 0; from < others.length && !isHopeless; from += chunk) {
      const some = others.slice(from, from + chunk);
      const answer = left.shift();
      if (answer === undefined) return pingCall(pinger, some, { count: 12, interval: 0.02, wait: 1 });
      isHopeless = answer.includes("gave up") || answer.includes("still running");
      const read = readPings(answer, some);
      suspects.push(...read.filter((one) => !isWell(one)).map(({ pod }) => pod));
    }
    if (isHopeless) continue;
    if (suspects.length === 0) return [];
    return pingLonger(pinger, suspects.slice(0, mostSuspects), left);
  }
  return [];
}

const longer = { count: 20, interval: 0.05, wait: 4 };
const nodeOf = ({ pod }: Pinger): ListedPod => ({ ...pod, ip: pod.hostIp });
/** One that is late itself hears from its node when it waits longer. */
const pingNode = (pinger: Pinger): EvidenceCall => pingCall(pinger, [nodeOf(pinger)], longer);

/** Each in a call of its own: lost echoes are waited for, and a call may take 10 s. */
function pingLonger(
  pinger: Pinger,
  suspects: readonly ListedPod[],
  answers: readonly string[],
): EvidenceCall | readonly PingedPod[] {
  const next = suspects[answers.length];
  if (next) return pingCall(pinger, [next], longer);
  const staying = answers[suspects.length];
  if (staying === undefined) return listStaying;
  const there = new Set([...staying.matchAll(/^([a-z0-9.-]+) Running *$/gm)].map(([, name]) => name));
  return answers
    .slice(0, suspects.length)
    .flatMap((answer) => readPings(answer, suspects))
    .filter(({ pod }) => there.has(pod.name))
    .map(({ pod: { workload }, share, rttMs }) => ({ workload, share, rttMs }));
}

function podsIn(text: string): ListedPod[] {
  const line = /^([a-z0-9][a-z0-9.-]*) ((?:\d{1,3}\.){3}\d{1,3}) ((?:\d{1,3}\.){3}\d{1,3}) (\S+)$/gm;
  return [...text.matchAll(line)].flatMap(([, name = "", ip = "", hostIp = "", owner = ""]) => {
    const workload = workloadOfOwner(owner);
    return workload ? [{ name, ip, hostIp, workload }] : [];
  });
}

/** One that reaches its own node well has no trouble itself. */
function triedIn(text: string, pods: readonly ListedPod[]): Pinger[] {
  const line = /^pings: ([a-z0-9.-]+) ([a-z0-9-]+) .* ([\d.]+)% packet loss(.*)$/gm;
  return [...text.matchAll(line)].flatMap(([, name, container = "", lost, rest = ""]) => {
    const pod = pods.find((one) => one.name === name);
    return pod ? [{ pod, container, share: 1 - Number(lost) / 100, rttMs: rttIn(rest) }] : [];
  });
}

function pingCall(
  { pod, container }: Pinger,
  pods: readonly ListedPod[],
  { count, interval, wait }: { count: number; interval: number; wait: number },
): EvidenceCall {
  const ips = pods.map(({ ip }) => ip).join(" ");
  const one = `r=$(ping -c ${count} -i ${interval} -W ${wait} $ip | tail -n 2); echo "$ip" $r`;
  const judge = `case "$r" in *" 0% packet loss"*) bad=0 ;; *) bad=$((bad + 1)) ;; esac; if [ $bad -ge ${hopeless} ]; then echo "gave up"; break; fi`;
  return longCall(
    `kubectl exec ${pod.name} -c ${container} -- sh -c 'bad=0; for ip in ${ips}; do ${one}; ${judge}; done'`,
  );
}

interface Pinged {
  readonly pod: ListedPod;
  readonly share: number;
  readonly rttMs: number | null;
}

function readPings(text: string, pods: readonly ListedPod[]): Pinged[] {
  const line = /^((?:\d{1,3}\.){3}\d{1,3}) .*?(\d+) packets transmitted, (\d+) (?:packets )?received(.*)$/gm;
  return [...text.matchAll(line)].flatMap(([, ip, sent, received, rest = ""]) => {
    const pod = pods.find((one) => one.ip === ip);
    if (!pod) return [];
    return [{ pod, share: Number(received) / Math.max(1, Number(sent)), rttMs: rttIn(rest) }];
  });
}

/** The mean in `min/avg/max = 0.1/0.2/0.3 ms`; null: no echo came back. */
function rttIn(text: string): number | null {
  const mean = /= [\d.]+\/([\d.]+)\//.exec(text)?.[1];
  return mean === undefined ? null : Number(mean);
}

const isWell = ({ share, rttMs }: Omit<Pinged, "pod">): boolean => share === 1 && (rttMs ?? 0) <= usualMs;
