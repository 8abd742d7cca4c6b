import {
  type CauseLabels,
  type Evidence,
  longCall,
  offsetsIn,
  pauseOf,
  printedBy,
  shellCall,
  workloadInName,
} from "@microremed/catalogue";

const pods = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.spec.containers[0].image}{"\\n"}{end}' | grep -i kafka | cut -d" " -f1`;
const groups =
  "/opt/kafka/bin/kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --all-groups";
/** Where the consumer groups of brokers are: a line for each, after one with the pod. Another reading is another call. */
const offsets = (reading: number) =>
  longCall(
    `true ${reading}; for p in $(${pods}); do echo "B $p"; kubectl exec "$p" -- ${groups} 2>/dev/null | grep -E ' [0-9]+ +[0-9]+ '; done`,
  );
const betweenSeconds = 25;
/** What programs say last of messages that they cannot read, each after a line with its Deployment. */
const complaints = shellCall(
  `for d in $(kubectl get deployments -o name); do echo "D $d"; kubectl logs "$d" --tail=5 2>/dev/null | grep 'cannot decode the message' | tail -n 1; done`,
);

/** The Deployment that says that it cannot read the message at an offset; undefined: none does. */
function consumerIn(text: string, offset: number, topic: string): string | undefined {
  let deployment: string | undefined;
  for (const line of text.split("\n")) {
    const [, name] = /^D deployment\.apps\/(\S+)$/.exec(line) ?? [];
    if (name !== undefined) deployment = name;
    else if (line.includes(`offset ${offset} of ${topic}:`)) return deployment;
  }
  return undefined;
}

/** The pod of the broker that has a group. */
function brokerOf(text: string, group: string): string {
  let pod = "";
  for (const line of text.split("\n")) {
    const [, name] = /^B (\S+)$/.exec(line) ?? [];
    if (name !== undefined) pod = name;
    else if (line.startsWith(`${group} `)) return pod;
  }
  return "";
}

/** A group takes none of the messages that wait, more come, and a program says that it cannot read the one at its offset. */
export const heldGroup = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const [first, , second, said] = answers;
    if (first === undefined) return offsets(1);
    const waiting = offsetsIn(printedBy(first)).filter(({ offset, end }) => offset < end);
    if (waiting.length === 0) return [];
    if (answers.length === 1) return pauseOf(betweenSeconds);
    if (second === undefined) return offsets(2);
    const later = offsetsIn(printedBy(second));
    const held = waiting.filter((was) =>
      later.some(
        ({ group, topic, offset, end }) =>
          group === was.group && topic === was.topic && offset === was.offset && end > was.end,
      ),
    );
    if (held.length === 0) return [];
    if (said === undefined) return complaints;
    return held.flatMap(({ group, topic, offset }) => {
      const consumer = consumerIn(printedBy(said), offset, topic);
      if (consumer === undefined) return [];
      return [
        {
          object: { kind: "Deployment", name: consumer },
          field: "",
          wrong: `group ${group} is held at offset ${offset} of ${topic}`,
          right: `group ${group} goes on after offset ${offset} of ${topic}`,
          workload: workloadInName(brokerOf(printedBy(second), group)),
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  },
});
