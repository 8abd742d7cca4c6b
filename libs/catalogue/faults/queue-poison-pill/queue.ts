import {
  declaredDeployment,
  isRolledOut,
  type KubeObject,
  kinds,
  oneReplica,
  targetName,
  targetOf,
} from "@microremed/catalogue";
import { groupOffset, heldAt, skipMessage } from "./broker.ts";
import type { Context, Where } from "./parameters.ts";

const port = 9092;
/** Of the image, with the folder of Kafka's tools. */
const path =
  "/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/kafka/bin";
/** The key of the consumer's ConfigMap with what it does at a message that it cannot read, and what that may be. */
export const policyKey = "on-error";
export const policies = { halt: "halt", deadLetter: "dead-letter" } as const;
const policyFolder = "/etc/consumer";
const dataFolder = "/var/lib/kafka/data";
/** Messages that the consumer has worked on before anything is measured. */
const leastDone = 3;

/** What the program that fills the queue runs: an order every ten seconds. */
const produce = [
  "number=0",
  "while true; do",
  "number=$((number + 1))",
  'echo "order=$number" | kafka-console-producer.sh --bootstrap-server "$BROKER" --topic "$TOPIC"',
  "sleep 10",
  "done",
];

/**
 * What the consumer runs: it takes one message after the other, writes what it has made of it to a topic of its own, and goes on. A message
 * that it cannot read it takes again and again, or puts aside, as its policy says.
 */
const consume = [
  'until kafka-consumer-groups.sh --bootstrap-server "$BROKER" --describe --group "$GROUP" 2>/dev/null | grep -q "$TOPIC"; do',
  'kafka-consumer-groups.sh --bootstrap-server "$BROKER" --group "$GROUP" --topic "$TOPIC" --reset-offsets --to-earliest --execute > /dev/null 2>&1',
  "sleep 1",
  "done",
  "while true; do",
  'message=$(kafka-console-consumer.sh --bootstrap-server "$BROKER" --topic "$TOPIC" --group "$GROUP" --from-beginning --consumer-property enable.auto.commit=false --max-messages 1 --timeout-ms 10000 2>/dev/null)',
  'result=""',
  'case "$message" in',
  '"") ;;',
  '"order="*) result="done" ;;',
  `*) result=$(cat ${policyFolder}/${policyKey}) ;;`,
  "esac",
  `if [ "$result" = "done" ] || [ "$result" = "${policies.deadLetter}" ]; then`,
  'echo "$message" | kafka-console-producer.sh --bootstrap-server "$BROKER" --topic "$GROUP.$result"',
  'kafka-consumer-groups.sh --bootstrap-server "$BROKER" --group "$GROUP" --topic "$TOPIC" --reset-offsets --shift-by 1 --execute > /dev/null',
  'echo "INFO $message: $result"',
  "sleep 0.2",
  'elif [ -n "$message" ]; then',
  `kafka-consumer-groups.sh --bootstrap-server "$BROKER" --describe --group "$GROUP" 2>/dev/null | awk '$3 == "0" { print $4 }' > /tmp/offset`,
  'echo "ERROR cannot decode the message at offset $(cat /tmp/offset) of $TOPIC: $message"',
  "sleep 2",
  "else",
  "sleep 1",
  "fi",
  "done",
];

/** The program that fills the queue. */
const sourceName = ({ parameters: { topic } }: Where): string => `${topic}-source`;

interface Program {
  readonly name: string;
  readonly script: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly configMap?: string;
}

/** A program of one shell script, with Kafka's tools. */
function deploymentOf({ name, script, env, configMap }: Program): KubeObject {
  return oneReplica(name, {
    containers: [
      {
        name,
        image: "apache/kafka:3.9.1",
        command: ["sh", "-c", script.join("\n")],
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
        // Kafka's tools are programs in Java, each of which starts with this much.
        resources: {
          requests: { cpu: "100m", memory: "256Mi" },
          limits: { cpu: "1", memory: "768Mi" },
        },
        ...(configMap && {
          volumeMounts: [{ name: "policy", mountPath: policyFolder, readOnly: true }],
        }),
      },
    ],
    ...(configMap && { volumes: [{ name: "policy", configMap: { name: configMap } }] }),
  });
}

/** The consumer's policy. */
export const policyOf = ({ parameters: { consumer } }: Where, policy: string): KubeObject => ({
  ...kinds.configMap,
  metadata: { name: consumer, labels: { app: consumer } },
  data: { [policyKey]: policy },
});

/** The declared broker with a claim, so that what it holds outlives its pod. */
function brokerWithVolume(where: Where): KubeObject[] {
  const name = `${targetName(where)}-data`;
  const group = targetOf(where.environment, where.target)?.container.name;
  const declared = declaredDeployment(where) as unknown as KubeObject & {
    readonly spec: {
      readonly template: {
        readonly spec: {
          readonly containers: readonly {
            readonly name: string;
            readonly env?: readonly object[];
            readonly volumeMounts?: readonly object[];
          }[];
          readonly volumes?: readonly object[];
        };
      };
    };
  };
  const { template } = declared.spec;
  const { containers, volumes = [] } = template.spec;
  return [
    {
      ...kinds.persistentVolumeClaim,
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
    {
      ...declared,
      spec: {
        ...declared.spec,
        // Of two brokers only one may have the directory.
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          ...template,
          spec: {
            ...template.spec,
            containers: containers.map((one) =>
              one.name === group
                ? {
                    ...one,
                    env: [...(one.env ?? []), { name: "KAFKA_LOG_DIRS", value: dataFolder }],
                    volumeMounts: [...(one.volumeMounts ?? []), { name: "data", mountPath: dataFolder }],
                  }
                : one,
            ),
            securityContext: { fsGroup: 1000 },
            volumes: [...volumes, { name: "data", persistentVolumeClaim: { claimName: name } }],
          },
        },
      },
    },
  ];
}

/** A queue with a program that fills it and one that reads it, at a broker that keeps what it holds. */
export function queueObjects(where: Where): KubeObject[] {
  const { consumer, topic } = where.parameters;
  const service = targetName(where);
  const env = { PATH: path, BROKER: `${service}:${port}`, TOPIC: topic };
  return [
    ...brokerWithVolume(where),
    policyOf(where, policies.halt),
    deploymentOf({ name: sourceName(where), script: produce, env }),
    deploymentOf({
      name: consumer,
      script: consume,
      env: { ...env, GROUP: consumer },
      configMap: consumer,
    }),
  ];
}

/** Whether the queue is read. What an earlier fault has left in it is skipped: a group that was put back meets it again. */
export async function isRead(context: Context): Promise<boolean> {
  const names = [targetName(context), sourceName(context), context.parameters.consumer];
  for (const name of names) if (!(await isRolledOut(context, name))) return false;
  if ((await heldAt(context)) !== undefined) {
    await skipMessage(context);
    return false;
  }
  const at = await groupOffset(context);
  return at !== undefined && at.offset >= leastDone && at.end - at.offset <= 1;
}
