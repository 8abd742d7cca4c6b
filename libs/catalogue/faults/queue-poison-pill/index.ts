import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  drawnName,
  type Runbook,
  shellWord,
  targetName,
  workloadsWhere,
} from "@microremed/catalogue";
import { groupOffset, heldAt, moveGroup, sendMessage, skipMessage as skip, tool } from "./broker.ts";
import { heldGroup } from "./evidence.ts";
import { parameters } from "./parameters.ts";
import { isRead, policies, policyOf, queueObjects } from "./queue.ts";
import { putAside, shortcuts, skipMessage, skipWhileStopped } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "blocked-by-lock",
  systemLevel: "Application",
  faultType: "Code Defect",
};

const skipFound: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get deployments`,
  act: ({ namespace, target, finding }) => {
    const exec = `kubectl -n ${namespace} exec deployment/${target} -- sh -c`;
    const [, consumer, offset, topic = ""] =
      /^group (\S+) is held at offset (\d+) of (\S+)$/.exec(finding?.wrong ?? "") ?? [];
    const move = (group: string, of: string, to: string): string =>
      moveGroup({ parameters: { consumer: group, topic: of, message: "" } }, to);
    if (consumer !== undefined)
      return {
        title: `Let ${consumer} go on after the message that it cannot read`,
        commands: [`${exec} ${shellWord(move(consumer, topic, `--to-offset ${Number(offset) + 1}`))}`],
      };
    const describe = shellWord(tool("consumer-groups", "--describe --all-groups"));
    const waiting = `awk '$3 == "0" && $6 > 0 && $7 == "-" { print $1 "," $2 }'`;
    return {
      title: `Let groups of ${target} for which messages wait go on after the next one`,
      commands: [
        `for one in $(${exec} ${describe} | ${waiting}); do`,
        `  ${exec} "${move(`\${one%,*}`, `\${one#*,}`, "--shift-by 1").replace("$PATH", "\\$PATH")}"`,
        "done",
      ],
    };
  },
};

/** A message that its consumer cannot read holds up a queue: the consumer takes it again and again, and all others wait behind it. */
export default defineFault({
  name: "queue-poison-pill",
  title: "Message that holds up a queue",
  description: "queue-poison-pill: messages wait in a queue of the service and are not worked on",
  parameters,
  drawn: {
    consumer: drawnName("validator", "worker", "auditor", "importer", "biller"),
    topic: drawnName("orders", "events", "requests", "invoices"),
    message: (rng) =>
      rng.pick([
        () => `{"order": ${rng.int(90_000)}`,
        () => `<order id="${rng.int(90_000)}">`,
        () => `ordr=${rng.int(90_000)}`,
        () => `order:${rng.int(90_000)};`,
        () => `[order ${rng.int(90_000)}]`,
      ])(),
  },
  symptom: "consumption",
  recovery: ["ready", "serving", "consumption"],
  rightActions: [],
  ...workloadsWhere(({ name, workload, container }) =>
    workload.kind === "Deployment" && container.behaviour.runtime === "kafka"
      ? undefined
      : `${name} is no Deployment of Kafka`,
  ),
  setting: queueObjects,
  alternatives: (context) => [policyOf(context, policies.deadLetter)],
  isSettled: isRead,
  async inject(context) {
    if ((await heldAt(context)) === undefined) await sendMessage(context);
  },
  async status(context) {
    const [held, at] = [await heldAt(context), await groupOffset(context)];
    const { consumer, topic } = context.parameters;
    return {
      present: held !== undefined,
      injected: held !== undefined,
      pods: [],
      expiresAt: null,
      note:
        held === undefined
          ? `${consumer} is at offset ${at?.offset ?? "none"} of ${topic}, where another message is`
          : `${consumer} is held at offset ${held} of ${topic}, which has ${at?.end} messages`,
    };
  },
  async remove(context) {
    if ((await heldAt(context)) !== undefined) await skip(context);
  },
  truth: (context) => {
    const { consumer, topic, message } = context.parameters;
    return {
      objects: [
        {
          kind: "Deployment",
          name: consumer,
          field: "",
          wrong: "it takes the same message again and again",
          right: "it goes on after a message that it cannot read",
        },
      ],
      affected: [
        { kind: "Deployment", name: consumer },
        { kind: "ConfigMap", name: consumer },
        ...affectedObjects(context),
      ],
      ...labels,
      explanation: `${consumer} cannot read the message ${message} in the queue ${topic} of ${targetName(context)} and takes it again and again, so all messages behind it wait`,
    };
  },
  repairs: [skipMessage, skipWhileStopped, putAside],
  runbook: skipFound,
  evidence: heldGroup(labels),
  shortcuts,
});
