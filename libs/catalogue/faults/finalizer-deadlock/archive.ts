import { type KubeObject, kinds, operatorsRole, type TruthContext, targetOf } from "@microremed/catalogue";

/** The controller that cleans up after archives, its account and its rights. */
export const cleaner = operatorsRole;
const writer = "archive-writer";
const finalizer = "archive.internal/clean-up";
/** An image with curl and jq. */
const image = "nicolaka/netshoot:v0.13";

/** `archive-of-cart`: the CronJob that writes the target's archive again every minute, and the ConfigMap that it is in. */
export const archiveName = ({ environment, target }: TruthContext): string =>
  `archive-of-${targetOf(environment, target)?.name ?? target}`;

/** What the controller and the CronJob's runs may do with ConfigMaps. */
export const cleanerVerbs = ["get", "list", "patch"];
const writerVerbs = ["get", "create", "delete"];

const start = [
  "own=/var/run/secrets/kubernetes.io/serviceaccount",
  "api=https://kubernetes.default.svc/api/v1/namespaces/$(cat $own/namespace)/configmaps",
];
const ask = (method: string, ...more: readonly string[]): string =>
  [`curl -s --cacert $own/ca.crt -H "Authorization: Bearer $(cat $own/token)" -X ${method}`, ...more].join(
    " ",
  );

const clean = [
  ...start,
  "while true; do",
  `for name in $(${ask("GET", "$api")} | jq -r '.items[]? | select(.metadata.deletionTimestamp) | select(.metadata.finalizers[]? == "${finalizer}") | .metadata.name'); do`,
  ask(
    "PATCH",
    "-H 'Content-Type: application/merge-patch+json'",
    `-d '{"metadata":{"finalizers":null}}'`,
    `$api/$name | jq -r '.message // "cleaned up after " + .metadata.name'`,
  ),
  "done",
  "sleep 2",
  "done",
];

/** The variables of a script with the name and the uid of the Job that it runs in. */
const jobVariables = { JOB: "job-name", JOB_UID: "controller-uid" };
const variable = (name: string): string => `'"$${name}"'`;

/** The archive as a run makes it: it belongs to the run's Job. */
const archiveOf = (name: string): string =>
  JSON.stringify({
    metadata: {
      name,
      labels: { app: name, "batch.kubernetes.io/controller-uid": "<JOB_UID>" },
      finalizers: [finalizer],
      ownerReferences: [
        { apiVersion: "batch/v1", kind: "Job", name: "<JOB>", uid: "<JOB_UID>", controller: true },
      ],
    },
    data: { state: "complete" },
  }).replaceAll(/<(\w+)>/g, (_, each: string) => variable(each));

/**
 * Deletes the archive, waits until the controller has let it go, and writes it again. Twice, so that each run needs the controller
 * even where the old archive was let go by hand.
 */
const write = (name: string): string[] => [
  ...start,
  `post() { ${ask("POST", "-H 'Content-Type: application/json'", `-d '${archiveOf(name)}'`, "-o /dev/null -w '%{http_code}' $api")}; }`,
  "for round in 1 2; do",
  "post > /dev/null",
  `${ask("DELETE", "-o /dev/null", `$api/${name}`)}`,
  "left=10",
  `while [ $left -gt 0 ] && [ "$(${ask("GET", "-o /dev/null -w '%{http_code}'", `$api/${name}`)})" != 404 ]; do left=$((left - 1)); sleep 1; done`,
  `if [ $left = 0 ]; then echo "the old ${name} is still there"; exit 1; fi`,
  "done",
  `if [ "$(post)" != 201 ]; then echo "no new ${name}"; exit 1; fi`,
  `echo "${name} is written"`,
];

const container = (name: string, script: readonly string[]): object => ({
  name,
  image,
  command: ["sh", "-c", script.join("\n")],
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "100m", memory: "64Mi" } },
});

const roleOf = (name: string, verbs: readonly string[]): KubeObject => ({
  ...kinds.role,
  metadata: { name, labels: { app: name } },
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: [...verbs] }],
});

function account(name: string, namespace: string, verbs: readonly string[]): KubeObject[] {
  const metadata = { name, labels: { app: name } };
  return [
    { ...kinds.serviceAccount, metadata },
    roleOf(name, verbs),
    {
      ...kinds.roleBinding,
      metadata,
      subjects: [{ kind: "ServiceAccount", name, namespace }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    },
  ];
}

/** The controller's Role as it is to be. */
export const cleanerRole = (): KubeObject => roleOf(cleaner, cleanerVerbs);

function controller(): KubeObject {
  const labels = { app: cleaner };
  return {
    ...kinds.deployment,
    metadata: { name: cleaner, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: cleaner, containers: [container("cleaner", clean)] },
      },
    },
  };
}

const jobEnv = Object.entries(jobVariables).map(([name, label]) => ({
  name,
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['batch.kubernetes.io/${label}']` } },
}));

function schedule(context: TruthContext): KubeObject {
  const name = archiveName(context);
  const pod = {
    metadata: { labels: { app: name } },
    spec: {
      serviceAccountName: writer,
      restartPolicy: "Never",
      containers: [{ ...container("writer", write(name)), env: jobEnv }],
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

/**
 * An archive of the target's state, which a CronJob deletes and writes again every minute, and the controller that each old one
 * waits for.
 */
export function archiveObjects(context: TruthContext): KubeObject[] {
  const namespace = context.namespace ?? context.environment.namespace;
  return [
    ...account(cleaner, namespace, cleanerVerbs),
    ...account(writer, namespace, writerVerbs),
    controller(),
    schedule(context),
  ];
}
