import {
  type ApiRule,
  accountObjects,
  apiContainer,
  askApi,
  deploymentWithPods,
  type KubeObject,
  kinds,
  namespaceOf,
  operatorsRoles,
  roleOf,
  type TruthContext,
  targetName,
} from "@microremed/catalogue";

/** The account of the target's pods, and its Role. */
export const { reader } = operatorsRoles;
/** The init container that reads settings. */
const initName = "read-settings";

export const settingsOf = (context: TruthContext): string => `${targetName(context)}-settings`;

/** What the account may get. */
export const readable = ["services", "configmaps"];
const rule = (resources: readonly string[]): ApiRule => ({
  apiGroups: [""],
  resources: [...resources],
  verbs: ["get"],
});
export const readerRole = (): KubeObject => roleOf(reader, rule(readable));

const read = (configMap: string): string[] => [
  `code=$(${askApi("GET", "-o /tmp/settings -w '%{http_code}'", `$api/api/v1/namespaces/$namespace/configmaps/${configMap}`)})`,
  `if [ "$code" != 200 ]; then jq -r .message /tmp/settings; exit 1; fi`,
  "echo 'settings are read'",
];

/**
 * Settings of the target, and its Deployment as it is declared, with an account and an init container that reads them. Throws where
 * the environment declares no such Deployment.
 */
export function settingsObjects(context: TruthContext): KubeObject[] {
  const namespace = namespaceOf(context);
  const init = apiContainer(initName, read(settingsOf(context)));
  return [
    ...accountObjects(reader, namespace, rule(readable)),
    {
      ...kinds.configMap,
      metadata: { name: settingsOf(context), labels: { app: targetName(context) } },
      data: { mode: "standard" },
    },
    deploymentWithPods(context, ({ initContainers = [] }) => ({
      serviceAccountName: reader,
      initContainers: [init, ...initContainers],
    })),
  ];
}
