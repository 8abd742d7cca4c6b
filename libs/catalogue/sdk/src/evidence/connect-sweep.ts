import { longCall, shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";

/** A pod with its address. */
interface Addressed {
  readonly name: string;
  readonly ip: string;
}

/** What a pod answers to connections from another pod. */
export interface Connected<P> {
  readonly pod: P;
  /** Connections that came about as fast as usual, of those tried: 0..1. Where all are as late as one another: 1. */
  readonly share: number;
  /** Of those that are late alike, ms; else of the fast ones; null: none came about. */
  readonly rttMs: number | null;
}

/** Pods that are asked in the first round of one connecting pod: a command has 16,384 characters at most. */
const mostAsked = 50;
/** Pods that are asked longer. */
const mostSuspects = 3;
/** Connecting pods: the first may be in trouble itself. */
const mostConnectors = 2;
/** A connection within a cluster is there sooner, s. */
const usualSeconds = 0.1;
/** Of two late connections the times, when both wait for the same delay: the greater by the smaller one at most. */
const alike = 1.3;

const listPorts = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.spec.containers[*].ports[?(@.protocol=="TCP")].containerPort}{"\\n"}{end}'`,
);

/**
 * Connections over TCP to every pod with a port, from a pod whose image has curl: for systems in which no image has a ping. A
 * late answer to a late call is one of the network, for nothing but the kernel has to answer it. `who`: the answer to `readInside`.
 */
export function connectSweep<P extends Addressed>(
  pods: readonly P[],
  who: string,
  answers: readonly string[],
): EvidenceCall | readonly Connected<P>[] {
  const connectors = [...who.matchAll(/^curl: (\S+) (\S+)$/gm)].slice(0, mostConnectors);
  if (connectors.length === 0) return [];
  const [ports, ...left] = answers;
  if (ports === undefined) return listPorts;
  const servers = serversIn(ports, pods);
  for (const [, name = "", container = ""] of connectors) {
    const others = servers.filter(({ pod }) => pod.name !== name).slice(0, mostAsked);
    const answer = left.shift();
    if (answer === undefined) return askAll(name, container, others);
    const suspects = others.filter(({ pod }) => new RegExp(`^late: ${pod.ip}$`, "m").test(answer));
    if (suspects.length === 0) return [];
    // Where hardly any pod answers in time, it is the asking one.
    const own = pods.find((pod) => pod.name === name);
    if (suspects.length > others.length / 2 || answer.includes("gave up")) {
      const [first] = suspects;
      if (connectors.length > 1 || !own || !first) continue;
      const longer = left.shift();
      if (longer === undefined) return askLonger(name, container, first);
      return readLonger(longer, own);
    }
    return suspectsOf(name, container, suspects.slice(0, mostSuspects), left);
  }
  return [];
}

function suspectsOf<P extends Addressed>(
  name: string,
  container: string,
  suspects: readonly Server<P>[],
  answers: readonly string[],
): EvidenceCall | readonly Connected<P>[] {
  const next = suspects[answers.length];
  if (next) return askLonger(name, container, next);
  return suspects.flatMap(({ pod }, at) => readLonger(answers[at] ?? "", pod));
}

interface Server<P> {
  readonly pod: P;
  readonly port: string;
}

function serversIn<P extends Addressed>(text: string, pods: readonly P[]): Server<P>[] {
  return [...text.matchAll(/^(\S+) (\d+)/gm)].flatMap(([, name, port = ""]) => {
    const pod = pods.find((one) => one.name === name);
    return pod ? [{ pod, port }] : [];
  });
}

/** Prints the seconds until the connection was there; 0: it was not in time. */
const connect = (address: string, seconds: number): string =>
  `$(curl -s -o /dev/null --connect-timeout ${seconds} -m ${seconds} -w "%{time_connect}" http://${address}/)`;

/**
 * Each address is written out: of a command that only reads, what it asks is to be seen. curl ends with 7 where nothing
 * listens: that is an answer, too.
 */
function askAll(name: string, container: string, servers: readonly Server<Addressed>[]): EvidenceCall {
  const isLate = `case $t in 0.0[0-9]*) [ "$t" = 0.000000 ] ;; *) true ;; esac`;
  const asked = servers.map(({ pod, port }) => {
    const time = connect(`${pod.ip}:${port}`, 0.5);
    return `if [ $bad -lt 8 ]; then for i in 1 2 3 4 5 6 7 8 9 10; do t=${time}; if [ $? = 7 ]; then break; fi; if ${isLate}; then echo "late: ${pod.ip}"; bad=$((bad + 1)); break; fi; done; fi`;
  });
  return longCall(
    `kubectl exec ${name} -c ${container} -- sh -c 'bad=0; ${asked.join("; ")}; if [ $bad -ge 8 ]; then echo "gave up"; fi'`,
  );
}

function askLonger(name: string, container: string, { pod, port }: Server<Addressed>): EvidenceCall {
  const address = `${pod.ip}:${port}`;
  const quick = `for i in 1 2 3 4 5 6 7 8 9 10; do echo "quick ${connect(address, 0.3)}"; done`;
  const slow = `for i in 1 2; do echo "slow ${connect(address, 2.8)}"; done`;
  return longCall(`kubectl exec ${name} -c ${container} -- sh -c '${quick}; ${slow}'`);
}

function readLonger<P>(text: string, pod: P): Connected<P>[] {
  const timesOf = (kind: string): number[] =>
    [...text.matchAll(new RegExp(`^${kind} ([\\d.]+)$`, "gm"))].map(([, time]) => Number(time));
  const [quick, slow] = [timesOf("quick"), timesOf("slow")];
  if (quick.length === 0) return [];
  const fast = quick.filter((time) => time > 0 && time < usualSeconds);
  const [least, most] = [Math.min(...slow), Math.max(...slow)];
  if (fast.length === 0 && slow.length > 1 && least > usualSeconds && most < alike * least)
    return [{ pod, share: 1, rttMs: 1000 * least }];
  const mean = fast.reduce((sum, time) => sum + time, 0) / fast.length;
  return [{ pod, share: fast.length / quick.length, rttMs: fast.length > 0 ? 1000 * mean : null }];
}
