import { expect, test } from "vitest";
import { isCall } from "./evidence.ts";
import { pingEvidence } from "./ping-sweep.ts";

const pods = ["a", "b", "c", "d"];
const ipOf = (name: string): string => `10.0.0.${pods.indexOf(name) + 1}`;
const lossy = new Set(["b", "d"]);
const listing = pods.map((name) => `${name} ${ipOf(name)} 192.168.0.1 StatefulSet/${name}`).join("\n");
const pinging = "pings: a main 10 packets transmitted, 10 received, 0% packet loss";
const labels = {
  mechanism: "packets-lost",
  systemLevel: "Virtualization",
  faultType: "Network/Storage Issue",
} as const;

/** What pings in the command print: of those that lose packets, half come back. */
function answerTo(command: string): string {
  const ips = /for ip in ([\d. ]+);/.exec(command)?.[1]?.split(" ") ?? [];
  const lines = ips.map((ip) => {
    const isLossy = [...lossy].some((name) => ipOf(name) === ip);
    return `${ip} 10 packets transmitted, ${isLossy ? 5 : 10} received, ${isLossy ? 50 : 0}% packet loss`;
  });
  return lines.join("\n");
}

/** What the pods are like in the end: those that an update replaces are gone. */
const stayingBut = (gone: string): string =>
  pods.map((name) => `${name} Running ${name === gone ? "2026-01-01T00:00:00Z" : ""}`).join("\n");

test.each([
  ["every pod that loses packets is found, each asked longer in a call of its own", "", ["b", "d"]],
  ["a pod that goes meanwhile has lost nothing", "d", ["b"]],
])("%s", (_, gone, found) => {
  const evidence = pingEvidence(labels, ({ share }) => share < 0.9);
  const answers = [listing, pinging];
  const asked: number[] = [];
  for (;;) {
    const step = evidence.next(answers, { namespace: "shop" });
    if (!isCall(step)) {
      expect(step.map(({ workload }) => workload)).toEqual(found);
      break;
    }
    const { command } = step.arguments as { command: string };
    if (command.includes("deletionTimestamp")) {
      answers.push(stayingBut(gone));
      continue;
    }
    if (command.includes("-W 4")) asked.push(answerTo(command).split("\n").length);
    answers.push(answerTo(command));
  }
  expect(asked).toEqual([1, 1]);
});

test("where every pod loses packets to its own node, these are the ones", () => {
  const evidence = pingEvidence(labels, ({ share }) => share < 0.9);
  const answer = ["b", "d"]
    .map((name) => `pings: ${name} main 10 packets transmitted, 4 received, 60% packet loss`)
    .join("\n");
  const found = evidence.next([listing, answer], { namespace: "shop" });
  expect(isCall(found) ? found : found.map(({ workload }) => workload)).toEqual(["b", "d"]);
});

const slowToNode = (name: string): string =>
  `pings: ${name} main 10 packets transmitted, 10 received, 0% packet loss round-trip min/avg/max = 500.1/600.2/700.3 ms`;

test("one that is late to its own node asks no other: it is the one, or others ask it", () => {
  const evidence = pingEvidence(labels, ({ rttMs }) => (rttMs ?? 0) > 100);
  const alone = evidence.next([listing, slowToNode("b")], { namespace: "shop" });
  expect(isCall(alone) ? alone : alone.map(({ workload }) => workload)).toEqual(["b"]);
  const asked = evidence.next([listing, `${slowToNode("b")}\n${pinging}`], { namespace: "shop" });
  expect(asked).toMatchObject({ arguments: { command: expect.stringContaining("kubectl exec a ") } });
});

test("one that hears nothing from its own node waits longer for it: it is late itself, or its node never answers", () => {
  const evidence = pingEvidence(labels, ({ rttMs }) => (rttMs ?? 0) > 100);
  const seen = [listing, "pings: b main 10 packets transmitted, 0 received, 100% packet loss"];
  const asked = (address: string) => ({ arguments: { command: expect.stringContaining(`in ${address}`) } });
  expect(evidence.next(seen, { namespace: "shop" })).toMatchObject(asked("192.168.0.1;"));
  const step = (answer: string) => evidence.next([...seen, answer], { namespace: "shop" });
  const late =
    "20 packets transmitted, 20 received, 0% packet loss round-trip min/avg/max = 3000.0/3001.0/3002.0 ms";
  expect(step(`192.168.0.1 ${late}`)).toMatchObject([{ workload: "b" }]);
  expect(step("192.168.0.1 20 packets transmitted, 0 received, 100% packet loss")).toMatchObject(
    asked("10.0.0.1 10.0.0.3"),
  );
});
