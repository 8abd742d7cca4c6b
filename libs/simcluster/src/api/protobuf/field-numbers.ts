import { type FieldType, parseStruct } from "../schema/field-type.ts";
import { findStruct } from "../schema/structs.ts";

/** One field of a protobuf message: the JSON name and type that it decodes to. */
export interface WireField {
  readonly name: string;
  readonly type: FieldType | { readonly kind: "bytes-map" };
}

export type Message = ReadonlyMap<number, WireField>;

const top = "metadata=1:ObjectMeta";
const withSpec = (spec: string): string => `${top} spec=2:${spec}`;

/**
 * Field numbers of Kubernetes' protobuf messages, for the kinds that `kubectl create`, `autoscale` and `auth` send.
 * Types come from the struct of the same name unless they are given here. Fields that are not named are skipped.
 */
const messages: Readonly<Record<string, string>> = {
  ObjectMeta: `name=1 generateName=2 namespace=3 uid=5 resourceVersion=6 labels=11 annotations=12
    ownerReferences=13 finalizers=14`,
  OwnerReference: "kind=1 name=3 uid=4 apiVersion=5 controller=6 blockOwnerDeletion=7",
  LabelSelector: "matchLabels=1 matchExpressions=2",
  LabelSelectorRequirement: "key=1 operator=2 values=3",
  "/Namespace": withSpec("NamespaceSpec"),
  NamespaceSpec: "finalizers=1",
  "/ConfigMap": `${top} data=2 binaryData=3:bytes immutable=4`,
  "/Secret": `${top} data=2:bytes type=3 stringData=4 immutable=5`,
  "/ServiceAccount": `${top} imagePullSecrets=3 automountServiceAccountToken=4`,
  LocalObjectReference: "name=1",
  "/Service": withSpec("ServiceSpec"),
  ServiceSpec: `ports=1 selector=2 clusterIP=3 type=4 externalIPs=5 sessionAffinity=7 loadBalancerIP=8
    loadBalancerSourceRanges=9 externalName=10 externalTrafficPolicy=11 publishNotReadyAddresses=13
    ipFamilyPolicy=17 clusterIPs=18 ipFamilies=19`,
  ServicePort: "name=1 protocol=2 port=3 targetPort=4 nodePort=5 appProtocol=6",
  "/ResourceQuota": withSpec("ResourceQuotaSpec"),
  ResourceQuotaSpec: "hard=1 scopes=2",
  "apps/Deployment": withSpec("DeploymentSpec"),
  DeploymentSpec: `replicas=1 selector=2 template=3 strategy=4 minReadySeconds=5 revisionHistoryLimit=6 paused=7
    progressDeadlineSeconds=9`,
  DeploymentStrategy: "type=1 rollingUpdate=2",
  RollingUpdateDeployment: "maxUnavailable=1 maxSurge=2",
  PodTemplateSpec: withSpec("PodSpec"),
  "/Pod": withSpec("PodSpec"),
  PodSpec: `containers=2 restartPolicy=3 terminationGracePeriodSeconds=4 activeDeadlineSeconds=5 dnsPolicy=6
    nodeSelector=7 serviceAccountName=8 serviceAccount=9 nodeName=10 hostNetwork=11 hostPID=12 hostIPC=13
    imagePullSecrets=15 hostname=16 subdomain=17 schedulerName=19 initContainers=20
    automountServiceAccountToken=21 tolerations=22`,
  Toleration: "key=1 operator=2 value=3 effect=4 tolerationSeconds=5",
  Container: `name=1 image=2 command=3 args=4 workingDir=5 ports=6 env=7 resources=8 volumeMounts=9
    terminationMessagePath=13 imagePullPolicy=14 stdin=16 stdinOnce=17 tty=18`,
  ContainerPort: "name=1 hostPort=2 containerPort=3 protocol=4 hostIP=5",
  EnvVar: "name=1 value=2",
  ResourceRequirements: "limits=1 requests=2",
  VolumeMount: "name=1 readOnly=2 mountPath=3 subPath=4",
  "batch/Job": withSpec("JobSpec"),
  JobSpec: `parallelism=1 completions=2 activeDeadlineSeconds=3 selector=4 manualSelector=5 template=6
    backoffLimit=7 ttlSecondsAfterFinished=8 completionMode=9 suspend=10`,
  "batch/CronJob": withSpec("CronJobSpec"),
  CronJobSpec: `schedule=1 startingDeadlineSeconds=2 concurrencyPolicy=3 suspend=4 jobTemplate=5
    successfulJobsHistoryLimit=6 failedJobsHistoryLimit=7 timeZone=8`,
  JobTemplateSpec: withSpec("JobSpec"),
  "rbac.authorization.k8s.io/Role": `${top} rules=2`,
  "rbac.authorization.k8s.io/ClusterRole": `${top} rules=2`,
  PolicyRule: "verbs=1 apiGroups=2 resources=3 resourceNames=4 nonResourceURLs=5",
  "rbac.authorization.k8s.io/RoleBinding": `${top} subjects=2 roleRef=3`,
  "rbac.authorization.k8s.io/ClusterRoleBinding": `${top} subjects=2 roleRef=3`,
  Subject: "kind=1 apiGroup=2 name=3 namespace=4",
  RoleRef: "apiGroup=1 kind=2 name=3",
  "policy/PodDisruptionBudget": withSpec("PodDisruptionBudgetSpec"),
  PodDisruptionBudgetSpec: "minAvailable=1 selector=2 maxUnavailable=3",
  "policy/Eviction": `${top} deleteOptions=2:DeleteOptions`,
  "/DeleteOptions":
    "gracePeriodSeconds=1:int orphanDependents=3:bool propagationPolicy=4:string dryRun=5:[]string",
  DeleteOptions:
    "gracePeriodSeconds=1:int orphanDependents=3:bool propagationPolicy=4:string dryRun=5:[]string",
  "autoscaling/HorizontalPodAutoscaler": withSpec("HorizontalPodAutoscalerSpec"),
  "autoscaling/v2/HorizontalPodAutoscaler": withSpec("AutoscalerSpecV2"),
  HorizontalPodAutoscalerSpec: `scaleTargetRef=1 minReplicas=2 maxReplicas=3 targetCPUUtilizationPercentage=4`,
  AutoscalerSpecV2: `scaleTargetRef=1:CrossVersionObjectReference minReplicas=2:int maxReplicas=3:int
    metrics=4:[]MetricSpec`,
  CrossVersionObjectReference: "kind=1 name=2 apiVersion=3",
  MetricSpec: "type=1:string resource=4:ResourceMetricSource",
  ResourceMetricSource: "name=1:string target=2:MetricTarget",
  MetricTarget: "type=1:string value=2:quantity averageValue=3:quantity averageUtilization=4:int",
  "networking.k8s.io/Ingress": withSpec("IngressMessage"),
  IngressMessage:
    "defaultBackend=1:IngressBackend tls=2:[]IngressTLS rules=3:[]IngressRule ingressClassName=4:string",
  IngressTLS: "hosts=1:[]string secretName=2:string",
  IngressRule: "host=1:string $inline=2:IngressRuleValue",
  IngressRuleValue: "http=1:HTTPIngressRuleValue",
  HTTPIngressRuleValue: "paths=1:[]HTTPIngressPath",
  HTTPIngressPath: "path=1:string backend=2:IngressBackend pathType=3:string",
  IngressBackend: "service=4:IngressServiceBackend",
  IngressServiceBackend: "name=1:string port=2:ServiceBackendPort",
  ServiceBackendPort: "name=1:string number=2:int",
  "scheduling.k8s.io/PriorityClass": `${top} value=2:int globalDefault=3:bool description=4:string
    preemptionPolicy=5:string`,
  "authentication.k8s.io/TokenRequest": withSpec("TokenRequestSpec"),
  TokenRequestSpec: "audiences=1:[]string expirationSeconds=4:int",
  "authentication.k8s.io/SelfSubjectReview": top,
  "authorization.k8s.io/SelfSubjectAccessReview": withSpec("AccessReviewSpec"),
  "authorization.k8s.io/SelfSubjectRulesReview": withSpec("RulesReviewSpec"),
  AccessReviewSpec: "resourceAttributes=1:ResourceAttributes nonResourceAttributes=2:NonResourceAttributes",
  ResourceAttributes: `namespace=1:string verb=2:string group=3:string version=4:string resource=5:string
    subresource=6:string name=7:string`,
  NonResourceAttributes: "path=1:string verb=2:string",
  RulesReviewSpec: "namespace=1:string",
};

function typeOf(message: string, name: string, given: string | undefined): WireField["type"] {
  if (given === "bytes") return { kind: "bytes-map" };
  if (given !== undefined) return parseStruct(`x:${given}`).get("x") ?? { kind: "any" };
  return findStruct(message)?.get(name) ?? { kind: "any" };
}

const parsed = new Map<string, Message>(
  Object.entries(messages).map(([message, text]) => [
    message,
    new Map(
      text.split(/\s+/).map((field) => {
        const [name = "", rest = ""] = field.split("=");
        const [number, given] = rest.split(/:(.*)/);
        return [Number(number), { name, type: typeOf(message, name, given) }] as const;
      }),
    ),
  ]),
);

/** By Go struct name, or by `group/Kind` (`group/version/Kind` where versions differ). */
export function findMessage(name: string): Message | undefined {
  return parsed.get(name);
}
