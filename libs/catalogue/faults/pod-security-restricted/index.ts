import {
  affectedObjects,
  anotherDeployment,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  type Environment,
  endPods,
  type FaultContext,
  findWorkload,
  kinds,
  manifestOf,
  namespaceOf,
  offeredWorkloads,
  type Place,
  podSecurityViolations,
  type Remedy,
  type RemedyContext,
  type Runbook,
  refusedStatus,
  restartEverything,
  restartingShortcuts,
  type SecuredPod,
  shellWord,
  waitForRollout,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { refusedBySecurity } from "./evidence.ts";

const versions = ["latest", "v1.25", "v1.26", "v1.27", "v1.28", "v1.29", "v1.30", "v1.31"] as const;
const parameters = z.object({
  version: z.enum(versions).default("latest").describe("of Kubernetes, whose policy is meant"),
});

const label = "pod-security.kubernetes.io/enforce";
const level = "restricted";
/** A user that is not root. */
const user = 10_001;

const ofPod = { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: "RuntimeDefault" } };
const ofContainer = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

/** The specification of the workload's pods as it is declared. */
function podsOf(environment: Environment, { name, workload }: Pick<Place, "name" | "workload">): SecuredPod {
  const manifest = manifestOf(environment, { kind: workload.kind }, name);
  const spec = manifest?.["spec"] as { readonly template?: { readonly spec?: SecuredPod } } | undefined;
  return spec?.template?.spec ?? {};
}

/** Why the symptom could not show, or could not be repaired by fewer rights. */
function whyNot(place: Place, environment: Environment): string | undefined {
  const pod = podsOf(environment, place);
  if (podSecurityViolations(level, pod).length === 0)
    return `pods of ${place.name} are restricted as they are`;
  const [left] = podSecurityViolations(level, hardened(pod));
  return left && `pods of ${place.name} need what restricted pods may not have: ${left}`;
}

function hardened(pod: SecuredPod): SecuredPod {
  const each = (some: SecuredPod["containers"] = []) =>
    some.map((one) => {
      const own = one.securityContext ?? {};
      const { capabilities } = own as { readonly capabilities?: object };
      return {
        ...one,
        securityContext: { ...own, ...ofContainer, capabilities: { ...capabilities, drop: ["ALL"] } },
      };
    });
  return {
    ...pod,
    securityContext: { ...pod.securityContext, ...ofPod },
    containers: each(pod.containers),
    initContainers: each(pod.initContainers),
  };
}

/** A patch that gives the pods, and all of their containers, these contexts. */
function harden(context: RemedyContext, pod: object, container: object): string[] {
  const { containers = [], initContainers = [] } = podsOf(context.environment, context);
  const each = (some: typeof containers) => some.map(({ name }) => ({ name, securityContext: container }));
  const spec = {
    securityContext: pod,
    containers: each(containers),
    ...(initContainers.length > 0 && { initContainers: each(initContainers) }),
  };
  const body = JSON.stringify({ spec: { template: { spec } } });
  return [
    `kubectl -n ${context.namespace} patch ${workloadPath(context)} -p ${shellWord(body)}`,
    awaitRollout(context),
  ];
}

const comply: Remedy = {
  name: "comply",
  doc: "the expert's fix: gives the pods no more rights than the namespace allows",
  commands: (context) => harden(context, ofPod, ofContainer),
};

const complyByContainer: Remedy = {
  name: "comply-by-container",
  doc: "the same in each container, with nothing for the pod as a whole",
  commands: (context) => harden(context, {}, { ...ofPod, ...ofContainer }),
};

const onlyNonRoot: Remedy = {
  name: "only-non-root",
  doc: "lets the pods run as another user than root, and keeps their other rights",
  commands: (context) => harden(context, { runAsNonRoot: true, runAsUser: user }, {}),
};

const asBaseline: Remedy = {
  name: "without-profile",
  doc: "takes rights away, but leaves out the profile of system calls",
  commands: (context) => harden(context, { runAsNonRoot: true, runAsUser: user }, ofContainer),
};

const labels: CauseLabels = {
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const contextOf = (fields: object): string => JSON.stringify({ securityContext: fields }).slice(1, -1);

const complyFound: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get events`,
  act: (found) => ({
    title: `Let pods of ${found.target} be what the namespace allows`,
    commands: [
      findWorkload(found),
      `named() { kubectl -n ${found.namespace} get "$workload" -o jsonpath="{range .spec.template.spec.$1[*]}{.name}{'\\n'}{end}" | sed 's/.*/{"name":"&",${contextOf(ofContainer)}}/' | tr '\\n' ',' | sed 's/,$//'; }`,
      `kubectl -n ${found.namespace} patch "$workload" -p "{\\"spec\\":{\\"template\\":{\\"spec\\":{${contextOf(ofPod).replaceAll('"', '\\"')},\\"containers\\":[$(named containers)],\\"initContainers\\":[$(named initContainers)]}}}}"`,
      waitForRollout(found),
    ],
  }),
};

const write = ({ cluster, namespace }: FaultContext, values: Readonly<Record<string, string | null>>) =>
  cluster.patch(kinds.namespace, undefined, namespace, {
    type: "merge",
    body: { metadata: { labels: values } },
  });

/** A label of the namespace asks for restricted pods: new ones of the target are refused. */
export default defineFault({
  name: "pod-security-restricted",
  title: "Pods with more rights than their namespace allows",
  description: "pod-security-restricted: the service's pods are not created",
  parameters,
  drawn: { version: (rng) => rng.pick(versions) },
  withoutTwin: "agents cannot read the namespace, and a label that refuses no pods shows nowhere",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(whyNot),
  async inject(context) {
    await write(context, { [label]: level, [`${label}-version`]: context.parameters.version });
    await endPods(context);
  },
  status: (context) =>
    refusedStatus(context, {
      kind: kinds.namespace,
      namespace: undefined,
      name: context.namespace,
      refuses: ({ metadata }) => metadata.labels?.[label] === level,
    }),
  remove: async (context) => {
    await write(context, { [label]: null, [`${label}-version`]: null });
  },
  truth: (context) => ({
    objects: [
      {
        kind: "Namespace",
        name: namespaceOf(context),
        field: `metadata.labels[${label}]`,
        wrong: level,
        right: "no such label",
      },
    ],
    affected: [{ kind: "Namespace", name: namespaceOf(context) }, ...affectedObjects(context)],
    ...labels,
    explanation: `a label of the namespace asks for restricted pods, and those of ${context.target} have more rights, so that they are refused`,
  }),
  repairs: [comply, complyByContainer],
  runbook: complyFound,
  evidence: refusedBySecurity(labels),
  shortcuts: [onlyNonRoot, asBaseline, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
