import {
  type ApiRule,
  accountObjects,
  apiContainer,
  askApi,
  type KubeObject,
  kinds,
  manifestOf,
  operatorsRoles,
  roleOf,
  type TruthContext,
  targetOf,
} from "@microremed/catalogue";

/** The account of the target's pods, and its Role. */
export const { reader } = operatorsRoles;
/** The init container that reads settings. */
const init = "read-settings";

export const nameOf = ({ environment, target }: TruthContext): string =>
  targetOf(environment, target)?.name ?? target;
export const settingsOf = (context: TruthContext): string => `${nameOf(context)}-settings`;

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

interface WithTemplate {
  readonly spec: {
    readonly template: { readonly spec: { readonly initContainers?: readonly object[] } };
  };
}

/**
 * Settings of the target, and its Deployment as it is declared, with an account and an init container that reads them. Throws where
 * the environment declares no such Deployment.
 */
export function settingsObjects(context: TruthContext): KubeObject[] {
  const { environment } = context;
  const manifest = manifestOf(environment, kinds.deployment, nameOf(context));
  if (!manifest) throw new Error(`${environment.name} declares no Deployment ${nameOf(context)}`);
  const { spec, ...deployment } = structuredClone(manifest) as typeof manifest & WithTemplate;
  const pod = spec.template.spec;
  const initContainers = [apiContainer(init, read(settingsOf(context))), ...(pod.initContainers ?? [])];
  const template = { ...spec.template, spec: { ...pod, serviceAccountName: reader, initContainers } };
  return [
    ...accountObjects(reader, context.namespace ?? environment.namespace, rule(readable)),
    {
      ...kinds.configMap,
      metadata: { name: settingsOf(context), labels: { app: nameOf(context) } },
      data: { mode: "standard" },
    },
    { ...deployment, spec: { ...spec, template } },
  ];
}
