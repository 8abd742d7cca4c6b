import {
  type ApiRule,
  accountObjects,
  apiContainer,
  askApi,
  type KubeObject,
  kinds,
  namespaceOf,
  oneReplica,
  operatorsRoles,
  roleOf,
  type TruthContext,
  targetName,
} from "@microremed/catalogue";

/** The controller that cleans up after archives, its account and its rights. */
export const { cleaner } = operatorsRoles;
const writer = "archive-writer";
const finalizer = "archive.internal/clean-up";
/** `archive-of-cart`: the CronJob that writes the target's archive again every minute, and the ConfigMap that it is in. */
export const archiveName = (context: TruthContext): string => `archive-of-${targetName(context)}`;

/** What the controller and the CronJob's runs may do with ConfigMaps. */
export const cleanerVerbs = ["get", "list", "patch"];
const writerVerbs = ["get", "create", "delete"];

const configMaps = "$api/api/v1/namespaces/$namespace/configmaps";

const clean = [
  "while true; do",
  `for name in $(${askApi("GET", configMaps)} | jq -r '.items[]? | select(.metadata.deletionTimestamp) | select(.metadata.finalizers[]? == "${finalizer}") | .metadata.name'); do`,
  askApi(
    "PATCH",
    "-H 'Content-Type: application/merge-patch+json'",
    `-d '{"metadata":{"finalizers":null}}'`,
    `${configMaps}/$name | jq -r '.message // "cleaned up after " + .metadata.name'`,
  ),
  "done",
  "sleep 5",
  "done",
];

/** The archive as each run makes it. */
const archiveOf = (name: string): KubeObject => ({
  ...kinds.configMap,
  metadata: { name, labels: { app: name }, finalizers: [finalizer] },
  data: { state: "complete" },
});

/**
 * Deletes the archive, waits until the controller has let it go, and writes it again. Twice, so that each run needs the controller
 * even where the old archive was let go by hand.
 */
const write = (name: string): string[] => [
  `post() { ${askApi("POST", "-H 'Content-Type: application/json'", `-d '${JSON.stringify(archiveOf(name))}'`, `-o /dev/null -w '%{http_code}' ${configMaps}`)}; }`,
  "for round in 1 2; do",
  "post > /dev/null",
  `${askApi("DELETE", "-o /dev/null", `${configMaps}/${name}`)}`,
  "left=10",
  `while [ $left -gt 0 ] && [ "$(${askApi("GET", "-o /dev/null -w '%{http_code}'", `${configMaps}/${name}`)})" != 404 ]; do left=$((left - 1)); sleep 1; done`,
  `if [ $left = 0 ]; then echo "the old ${name} is still there"; exit 1; fi`,
  "done",
  `if [ "$(post)" != 201 ]; then echo "no new ${name}"; exit 1; fi`,
  `echo "${name} is written"`,
];

const onConfigMaps = (verbs: readonly string[]): ApiRule => ({
  apiGroups: [""],
  resources: ["configmaps"],
  verbs: [...verbs],
});

/** The controller's Role as it is to be. */
export const cleanerRole = (): KubeObject => roleOf(cleaner, onConfigMaps(cleanerVerbs));

const controller = (): KubeObject =>
  oneReplica(cleaner, { serviceAccountName: cleaner, containers: [apiContainer("cleaner", clean)] });

function schedule(context: TruthContext): KubeObject {
  const name = archiveName(context);
  const pod = {
    metadata: { labels: { app: name } },
    spec: {
      serviceAccountName: writer,
      restartPolicy: "Never",
      containers: [apiContainer("writer", write(name))],
    },
  };
  return {
    ...kinds.cronJob,
    metadata: { name, labels: { app: name } },
    spec: {
      schedule: "* * * * *",
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { backoffLimit: 0, template: pod } },
    },
  };
}

/** What the CronJob's runs delete and write again. */
export const rewrittenArchive = (context: TruthContext): KubeObject[] => [archiveOf(archiveName(context))];

/**
 * An archive of the target's state, which a CronJob deletes and writes again every minute, and the controller that each old one
 * waits for.
 */
export function archiveObjects(context: TruthContext): KubeObject[] {
  const namespace = namespaceOf(context);
  return [
    ...accountObjects(cleaner, namespace, onConfigMaps(cleanerVerbs)),
    ...accountObjects(writer, namespace, onConfigMaps(writerVerbs)),
    controller(),
    schedule(context),
  ];
}
