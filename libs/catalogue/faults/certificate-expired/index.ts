import {
  affectedObjects,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  type Environment,
  endPods,
  type FaultContext,
  type FieldChange,
  fieldFault,
  isLoaded,
  kinds,
  kubectl,
  type MongoConfig,
  manifestOf,
  mongoConfigOf,
  type Place,
  patchCommand,
  podsOf,
  type Remedy,
  type RemedyContext,
  restartEverything,
  restartingShortcuts,
  restartTarget,
  selectorText,
  type TruthContext,
  targetOf,
  withTlsMode,
  workloadsWhere,
  z,
} from "@microremed/catalogue";
import { expiredCertificate } from "./evidence.ts";
import { expiredPem } from "./expired-pem.ts";

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};

/** Calls of the server for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

/** A MongoDB server's configuration, in which TLS is off as declared, and the Secret with the certificate that it names. */
interface Held extends MongoConfig {
  readonly secret: string;
  readonly file: string;
}

function heldBy(place: Place | undefined, environment: Environment): Held | undefined {
  const config = mongoConfigOf(place, environment);
  const file = /certificateKeyFile:\s*\S*\/([\w.-]+)/.exec(config?.text ?? "")?.[1];
  if (!place || !config || file === undefined) return undefined;
  const secret = Object.values(place.workload.volumes).find(
    (one) => one.type === "secret" && dataOf(environment, one.name)[file] !== undefined,
  );
  return secret?.type === "secret" ? { ...config, secret: secret.name, file } : undefined;
}

/** What a Secret is declared to hold, in base64. */
const dataOf = (environment: Environment, name: string): Readonly<Record<string, string>> =>
  (manifestOf(environment, kinds.secret, name)?.["data"] ?? {}) as Readonly<Record<string, string>>;

type Where = Pick<TruthContext, "environment" | "target">;

function held({ environment, target }: Where): Held {
  const found = heldBy(targetOf(environment, target), environment);
  if (!found) throw new Error(`${target} of ${environment.name} has no MongoDB server with a certificate`);
  return found;
}

const pointer = (key: string): string => `/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

function changesOf(where: Where): FieldChange[] {
  const { secret, file, configMap, key, text } = held(where);
  const wrong = Buffer.from(expiredPem).toString("base64");
  return [
    { kind: kinds.secret, name: secret, path: pointer(file), wrong },
    { kind: kinds.configMap, name: configMap, path: pointer(key), wrong: withTlsMode(text, "preferTLS") },
  ];
}

const configuration = fieldFault({
  parameters: z.object({}),
  changes: changesOf,
  explanation: ({ target }) =>
    `the certificate of ${target} has expired, and since TLS was switched on the server does not start without a valid one`,
  ...labels,
});

/** Names of the pods whose server does not start. */
async function stoppedPods(context: FaultContext): Promise<string[]> {
  return (await podsOf(context)).flatMap(({ metadata, status }) => {
    const ends = (status?.containerStatuses ?? []).some(
      ({ ready, restartCount = 0, state }) =>
        !ready && (restartCount > 0 || state?.waiting?.reason === "CrashLoopBackOff" || state?.terminated),
    );
    return ends && !metadata.deletionTimestamp ? [metadata.name] : [];
  });
}

const newPods = (context: RemedyContext): string[] => [
  `${kubectl(context)} delete pod -l ${selectorText(context.workload.selector)} --wait=false`,
  awaitRollout(context),
];
const setCertificate = (context: RemedyContext, value: string): string => {
  const { secret, file } = held(context);
  return patchCommand(context, kinds.secret, secret, [{ op: "replace", path: pointer(file), value }]);
};
const setConfig = (context: RemedyContext, value: string): string => {
  const { configMap, key } = held(context);
  return patchCommand(context, kinds.configMap, configMap, [{ op: "replace", path: pointer(key), value }]);
};
const validOne = (context: RemedyContext): string => {
  const { secret, file } = held(context);
  return dataOf(context.environment, secret)[file] ?? "";
};

const goBack = (context: RemedyContext): string[] => [
  setCertificate(context, validOne(context)),
  setConfig(context, held(context).text),
];

const goBackAndDelete: Remedy = {
  name: "go-back-and-delete",
  doc: "the expert's fix: puts the valid certificate back, switches TLS off again, and deletes the server's pod",
  commands: (context) => [...goBack(context), ...newPods(context)],
};

const goBackAndRestart: Remedy = {
  name: "go-back-and-restart",
  doc: "the same, and restarts the server",
  commands: (context) => [...goBack(context), ...restartTarget(context)],
};

const noCertificate: Remedy = {
  name: "no-certificate",
  doc: "empties the file of the certificate",
  commands: (context) => [setCertificate(context, ""), ...newPods(context)],
};

/** A MongoDB server with TLS does not start: its certificate in a Secret has expired. */
export default defineFault({
  name: "certificate-expired",
  title: "Expired certificate",
  description: "certificate-expired: the database does not start",
  withoutDraw: "a certificate is valid or not",
  symptom: "ready",
  recovery: ["ready", "serving", "requests"],
  ...workloadsWhere((place, environment) => {
    if (!heldBy(place, environment))
      return `${place.name} is no MongoDB server with a certificate in a Secret`;
    return isLoaded(environment, place.name, leastPerRequest)
      ? undefined
      : `requests of users hardly ever reach ${place.name}`;
  }),
  ...configuration,
  rightActions: [],
  async inject(context) {
    await configuration.inject(context);
    // The server reads its certificate when it starts.
    await endPods(context);
  },
  async status(context) {
    const [written, pods] = [await configuration.status(context), await stoppedPods(context)];
    return {
      ...written,
      injected: written.injected && pods.length > 0,
      pods,
      note: `${written.note}; pods whose server does not start: ${pods.length}`,
    };
  },
  async remove(context) {
    const { present } = await configuration.status(context);
    await configuration.remove(context);
    if (present) await endPods(context);
  },
  truth: (context) => {
    const { secret, file, configMap } = held(context);
    return {
      ...configuration.truth(context),
      objects: [
        {
          kind: "Secret",
          name: secret,
          field: `data.${file}`,
          wrong: "an expired certificate",
          right: "a valid certificate",
        },
      ],
      affected: [
        { kind: "Secret", name: secret },
        { kind: "ConfigMap", name: configMap },
        ...affectedObjects(context),
      ],
    };
  },
  repairs: [goBackAndDelete, goBackAndRestart],
  shortcuts: [noCertificate, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
  evidence: expiredCertificate(labels),
  withoutRunbook: "a new certificate has to come from an authority that signs them, and the cluster has none",
});
