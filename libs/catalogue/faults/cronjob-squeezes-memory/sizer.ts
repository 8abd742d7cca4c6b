import {
  accountObjects,
  apiContainer,
  askApi,
  deploymentWithContainer,
  type FaultContext,
  type KubeObject,
  kinds,
  namespaceOf,
  type TruthContext,
  targetName,
  targetOf,
  type WithParameters,
} from "@microremed/catalogue";

/** Name of the CronJob that sets the limit, and of its account. */
export type Where = TruthContext & WithParameters<{ readonly sizer: string; readonly memory: string }>;

const variable = "MEMORY";
/** A limit for a program that has none, which none reaches. */
const generous = "512Mi";

const containerOf = ({ environment, target }: TruthContext) => targetOf(environment, target)?.container;

/** The limit that is right: the declared one, if there is one. */
export const rightLimit = (context: TruthContext): string =>
  containerOf(context)?.resources.limits.memory ?? generous;

export const valueField = ({ parameters: { sizer } }: Where): string =>
  `spec.jobTemplate.spec.template.spec.containers[name=${sizer}].env[name=${variable}].value`;
export const valuePath = "/spec/jobTemplate/spec/template/spec/containers/0/env/0/value";
/** Of the target's first container in its Deployment. */
export const limitPath = "/spec/template/spec/containers/0/resources/limits/memory";

function setLimit(context: Where): string[] {
  const container = { name: containerOf(context)?.name, resources: { limits: { memory: "<limit>" } } };
  const change = JSON.stringify({ spec: { template: { spec: { containers: [container] } } } });
  const name = targetName(context);
  return [
    `code=$(${askApi(
      "PATCH",
      "-H 'Content-Type: application/strategic-merge-patch+json'",
      `-d '${change.replace("<limit>", `'"$${variable}"'`)}'`,
      `-o /tmp/answer -w '%{http_code}' $api/apis/apps/v1/namespaces/$namespace/deployments/${name}`,
    )})`,
    `if [ "$code" != 200 ]; then jq -r .message /tmp/answer; exit 1; fi`,
    `echo "${name} may use $${variable} of memory"`,
  ];
}

function cronJobOf(context: Where): KubeObject {
  const { sizer } = context.parameters;
  const metadata = { labels: { app: sizer } };
  const env = [{ name: variable, value: rightLimit(context) }];
  const container = { ...apiContainer(sizer, setLimit(context)), env };
  const spec = { serviceAccountName: sizer, restartPolicy: "Never", containers: [container] };
  return {
    ...kinds.cronJob,
    metadata: { name: sizer, ...metadata },
    spec: {
      schedule: "* * * * *",
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { backoffLimit: 0, template: { metadata, spec } } },
    },
  };
}

function deploymentOf(context: Where): KubeObject {
  const memory = rightLimit(context);
  return deploymentWithContainer(context, ({ resources }) => ({
    resources: { ...resources, limits: { ...resources?.limits, memory } },
  }));
}

/** The target's Deployment with a memory limit, and a CronJob that sets that limit every minute. */
export function sizerObjects(context: Where): KubeObject[] {
  const namespace = namespaceOf(context);
  const rule = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "patch"] };
  return [
    ...accountObjects(context.parameters.sizer, namespace, rule),
    deploymentOf(context),
    cronJobOf(context),
  ];
}

/** What the CronJob sets, and what the Deployment has, as they are; undefined: there is none. */
export async function readLimits(context: FaultContext & Where) {
  const { cluster, namespace, parameters } = context;
  const [cronJob, deployment] = await Promise.all([
    cluster.get(kinds.cronJob, namespace, parameters.sizer),
    cluster.get(kinds.deployment, namespace, targetName(context)),
  ]);
  const job = cronJob?.["spec"] as
    | {
        readonly jobTemplate: {
          readonly spec: {
            readonly template: {
              readonly spec: {
                readonly containers: readonly { readonly env?: readonly { value?: string }[] }[];
              };
            };
          };
        };
      }
    | undefined;
  return {
    set: job?.jobTemplate.spec.template.spec.containers[0]?.env?.[0]?.value,
    has: deployment?.spec?.template?.spec?.containers[0]?.resources?.limits?.["memory"],
  };
}
