import type { ObjectRef } from "../objects/object-ref.ts";
import { actsOn } from "./acts-on.ts";
import { shellCall } from "./common-calls.ts";
import { connectSweep } from "./connect-sweep.ts";
import type { CauseLabels, Evidence, EvidenceCall } from "./evidence.ts";
import { containersWithImages, lacksProgram, noImageWithout, oncePerImage } from "./once-per-image.ts";
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

/** Pods from which others are pinged, spread over the system; fewer, where some of them reach their own node well. */
const mostPingers = 6;
const enoughGood = 2;
/** Containers in which it is tried, and no other one of an image that has no ping: a call may take 10 s. */
const mostTried = 18;
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
/** Each pod's name, its node's address, and its containers with their images. */
const runningIn = `{range .items[*]}{.metadata.name} {.status.hostIP}${containersWithImages}{"\\n"}{end}`;
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
  if (who === undefined) return findPingers(pods);
  const tried = triedIn(who, pods);
  if (tried.length === 0) return byConnections(pods, rest);
  // Those without trouble first, then those whose node does not answer at all.
  const pingers = [0, 100].flatMap((share) => tried.filter(({ lost }) => lost === share));
  if (pingers.length > 0) return pingAll(pods, pingers, rest);
  return tried.map(({ pod: { workload }, lost }) => ({ workload, share: 1 - lost / 100, rttMs: null }));
}

/** No image has a ping. */
function byConnections(
  pods: readonly ListedPod[],
  answers: readonly string[],
): EvidenceCall | readonly PingedPod[] {
  const found = connectSweep(pods, answers);
  if ("tool" in found) return found;
  return found.map(({ pod: { workload }, share, rttMs }) => ({ workload, share, rttMs }));
}

interface Pinger {
  readonly pod: ListedPod;
  readonly container: string;
  /** Of its echoes to its own node, %. */
  readonly lost: number;
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
      suspects.push(...read.filter(isSuspect).map(({ pod }) => pod));
    }
    if (isHopeless) continue;
    if (suspects.length === 0) return [];
    return pingLonger(pinger, suspects.slice(0, mostSuspects), left);
  }
  return [];
}

/** Each in a call of its own: lost echoes are waited for, and a call may take 10 s. */
function pingLonger(
  pinger: Pinger,
  suspects: readonly ListedPod[],
  answers: readonly string[],
): EvidenceCall | readonly PingedPod[] {
  const next = suspects[answers.length];
  if (next) return pingCall(pinger, [next], { count: 20, interval: 0.05, wait: 4 });
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
function findPingers(pods: readonly ListedPod[]): EvidenceCall {
  const step = Math.max(1, Math.floor(pods.length / mostPingers));
  const spread = pods.filter((_, i) => i % step === 0).slice(0, mostPingers);
  const names = [...spread, ...pods.filter((pod) => !spread.includes(pod))].map(({ name }) => name);
  const ping = '$(kubectl exec "$p" -c "$c" -- ping -c 10 -i 0.05 -W 1 "$node" 2>&1)';
  const reads = `case "$r" in *transmitted*) echo "pings: $p $c $(echo "$r" | grep transmitted)"; n=$((n + 1)); case "$r" in *" 0% packet loss"*) g=$((g + 1)) ;; esac; break ;; ${lacksProgram} esac`;
  const tries = oncePerImage("$containers", `k=$((k + 1)); r=${ping}; ${reads}`);
  return shellCall(
    `all=$(kubectl get pods -o jsonpath='${runningIn}'); n=0; g=0; k=0; ${noImageWithout}; for p in ${names.join(" ")}; do l=$(echo "$all" | grep "^$p "); l=\${l#* }; node=\${l%% *}; containers=\${l#* }; ${tries}; if [ $g -ge ${enoughGood} ] || [ $n -ge ${mostPingers} ] || [ $k -ge ${mostTried} ]; then break; fi; done`,
  );
}

function triedIn(text: string, pods: readonly ListedPod[]): Pinger[] {
  const line = /^pings: ([a-z0-9.-]+) ([a-z0-9-]+) .* ([\d.]+)% packet loss/gm;
  return [...text.matchAll(line)].flatMap(([, name, container = "", lost]) => {
    const pod = pods.find((one) => one.name === name);
    return pod ? [{ pod, container, lost: Number(lost) }] : [];
  });
}

function pingCall(
  { pod, container }: Pinger,
  pods: readonly ListedPod[],
  { count, interval, wait }: { count: number; interval: number; wait: number },
): EvidenceCall {
  const ips = pods.map(({ ip }) => ip).join(" ");
  const one = `r=$(ping -c ${count} -i ${interval} -W ${wait} $ip | tail -n 2 | tr "\\n" " "); echo "$ip $r"`;
  const judge = `case "$r" in *" 0% packet loss"*) bad=0 ;; *) bad=$((bad + 1)) ;; esac; if [ $bad -ge ${hopeless} ]; then echo "gave up"; break; fi`;
  return shellCall(
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
    const rtt = /= [\d.]+\/([\d.]+)\//.exec(rest)?.[1];
    if (!pod) return [];
    return [{ pod, share: Number(received) / Math.max(1, Number(sent)), rttMs: rtt ? Number(rtt) : null }];
  });
}

const isSuspect = ({ share, rttMs }: Pinged): boolean => share < 1 || (rttMs ?? 0) > usualMs;
