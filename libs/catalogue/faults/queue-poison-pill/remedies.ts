import {
  deletePods,
  kinds,
  kubectl,
  mergeCommand,
  parametersOf,
  type Remedy,
  type RemedyContext,
  restartEverything,
} from "@microremed/catalogue";
import { inBroker, moveGroup, tool } from "./broker.ts";
import { parameters } from "./parameters.ts";
import { policies, policyKey } from "./queue.ts";

const own = (context: RemedyContext) => parametersOf(parameters, context);
const move = (context: RemedyContext, to: string): string =>
  inBroker(context, moveGroup({ parameters: own(context) }, to));

const restartConsumer = (context: RemedyContext): string[] => {
  const { consumer } = own(context);
  return [
    `${kubectl(context)} rollout restart deployment/${consumer}`,
    `${kubectl(context)} rollout status deployment/${consumer} --timeout=20s || echo "still rolling out"`,
  ];
};

const setPolicy = (context: RemedyContext, policy: string): string =>
  mergeCommand(context, kinds.configMap, own(context).consumer, `/data/${policyKey}`, policy);

export const skipMessage: Remedy = {
  name: "skip-message",
  doc: "the expert's fix: lets the group go on after the message that it cannot read",
  commands: (context) => [move(context, "--shift-by 1")],
};

export const skipWhileStopped: Remedy = {
  name: "skip-while-stopped",
  doc: "stops the consumer, puts its group after the message by its offset, and starts the consumer again",
  commands: (context) => {
    const { consumer, topic } = own(context);
    const scale = (replicas: number): string =>
      `${kubectl(context)} scale deployment/${consumer} --replicas=${replicas}`;
    const describe = inBroker(context, tool("consumer-groups", `--describe --group ${consumer}`));
    return [
      scale(0),
      `${kubectl(context)} wait --for=delete pod -l app=${consumer} --timeout=20s || echo "still there"`,
      `at=$(${describe} 2>/dev/null | awk '$2 == "${topic}" { print $4 }')`,
      `${kubectl(context)} exec deployment/${context.name} -c ${context.container} -- sh -c "${moveGroup({ parameters: own(context) }, "--to-offset $((at + 1))").replace("$PATH", "\\$PATH")}"`,
      scale(1),
      `${kubectl(context)} rollout status deployment/${consumer} --timeout=20s || echo "still rolling out"`,
    ];
  },
};

export const putAside: Remedy = {
  name: "put-aside",
  doc: "lets the consumer put aside what it cannot read, and restarts it",
  commands: (context) => [setPolicy(context, policies.deadLetter), ...restartConsumer(context)],
};

const restart: Remedy = {
  name: "restart-consumer",
  doc: "restarts the consumer, which takes the same message again",
  commands: restartConsumer,
};

const moreConsumers: Remedy = {
  name: "more-consumers",
  doc: "starts two more consumers, which take the same message",
  commands: (context) => [`${kubectl(context)} scale deployment/${own(context).consumer} --replicas=3`],
};

const deleteTopic: Remedy = {
  name: "delete-topic",
  doc: "deletes the queue with all that waits in it",
  commands: (context) => [inBroker(context, tool("topics", `--delete --topic ${own(context).topic}`))],
};

const skipAll: Remedy = {
  name: "skip-all",
  doc: "lets the group go on at the end, so that all that has waited is lost",
  commands: (context) => [move(context, "--to-latest")],
};

const beginAgain: Remedy = {
  name: "begin-again",
  doc: "lets the group read everything again, up to the same message",
  commands: (context) => [move(context, "--to-earliest")],
};

const otherPolicy: Remedy = {
  name: "other-policy",
  doc: "gives the consumer a policy that it does not know, and restarts it",
  commands: (context) => [setPolicy(context, "retry"), ...restartConsumer(context)],
};

const withoutConsumer: Remedy = {
  name: "without-consumer",
  doc: "scales the consumer away",
  commands: (context) => [`${kubectl(context)} scale deployment/${own(context).consumer} --replicas=0`],
};

export const shortcuts: readonly Remedy[] = [
  restart,
  moreConsumers,
  deleteTopic,
  skipAll,
  beginAgain,
  otherPolicy,
  withoutConsumer,
  restartEverything,
  deletePods,
];
