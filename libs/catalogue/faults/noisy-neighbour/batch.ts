import {
  deploymentWithContainer,
  type KubeObject,
  kinds,
  objectName,
  type TruthContext,
  type WithParameters,
  withoutResource,
  z,
} from "@microremed/catalogue";

export const parameters = z.object({
  batch: objectName.default("transcoder").describe("the batch workload, one pod on each of three nodes"),
  cpu: z
    .int()
    .min(1_000)
    .max(15_000)
    .default(11_500)
    .describe("what each of its pods requests, and may use while it is limited, millicores"),
});

export type Where = TruthContext & WithParameters<z.output<typeof parameters>>;

const replicas = 3;
/** Twice the cores of a node that it is meant for, so that it takes all that it is given. */
const threads = 32;

/** As the API server writes it. */
export const quantity = (millis: number): string =>
  millis % 1000 === 0 ? String(millis / 1000) : `${millis}m`;

/** Of the batch's only container, in its Deployment. */
export const limitPath = "/spec/template/spec/containers/0/resources/limits/cpu";
export const limitField = ({ parameters: { batch } }: Where): string =>
  `spec.template.spec.containers[name=${batch}].resources.limits.cpu`;

/** Encodes video without end, on as many cores as it gets. */
const command = [
  ...["ffmpeg", "-nostdin", "-loglevel", "warning"],
  ...["-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=60"],
  ...["-c:v", "libx264", "-preset", "slow", "-threads", String(threads)],
  ...["-f", "null", "-"],
];

/** What the API server fills in: the batch's Deployment is compared with what it may be, field by field. */
const defaults = {
  deployment: { progressDeadlineSeconds: 600, revisionHistoryLimit: 10 },
  pod: {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
  },
  container: {
    imagePullPolicy: "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  },
} as const;

/** The batch workload, with or without its limit of CPU; `pods`: 0 where it is paused. */
export function batchDeployment(
  { parameters: { batch, cpu } }: Where,
  { isLimited, pods = replicas }: { readonly isLimited: boolean; readonly pods?: number },
): KubeObject {
  const labels = { app: batch };
  const memory = "2Gi";
  const requests = { cpu: quantity(cpu), memory };
  const limits = { ...(isLimited && { cpu: quantity(cpu) }), memory };
  return {
    ...kinds.deployment,
    metadata: { name: batch, labels },
    spec: {
      ...defaults.deployment,
      replicas: pods,
      selector: { matchLabels: labels },
      strategy: { type: "Recreate" },
      template: {
        metadata: { labels },
        spec: {
          ...defaults.pod,
          terminationGracePeriodSeconds: 2,
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "DoNotSchedule",
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              ...{ name: batch, image: "jrottenberg/ffmpeg:4.4-ubuntu", command },
              ...{ ...defaults.container, resources: { requests, limits } },
            },
          ],
        },
      },
    },
  };
}

/** The batch with its limit, and the target's Deployment without CPU of its own, so that its share of a full node is the least. */
export const batchObjects = (where: Where): KubeObject[] => [
  deploymentWithContainer(where, ({ resources }) => ({ resources: withoutResource(resources, "cpu") })),
  batchDeployment(where, { isLimited: true }),
];
