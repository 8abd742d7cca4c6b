import { type FieldType, findStruct } from "@microremed/sim-kinds";

/** One field of a protobuf message: the JSON name and type that it decodes to. */
export interface WireField {
  readonly name: string;
  readonly type: FieldType | { readonly kind: "bytes-map" };
}

export type Message = ReadonlyMap<number, WireField>;

const top = "metadata=1:ObjectMeta";
const withSpec = (spec: string): string => `${top} spec=2:${spec}`;

const containerFields = `name=1 image=2 command=3 args=4 workingDir=5 ports=6 env=7 resources=8 volumeMounts=9
    livenessProbe=10 readinessProbe=11 lifecycle=12 terminationMessagePath=13 imagePullPolicy=14
    securityContext=15 stdin=16 stdinOnce=17 tty=18 envFrom=19 terminationMessagePolicy=20 volumeDevices=21
    startupProbe=22 resizePolicy=23:[]ContainerResizePolicy restartPolicy=24`;

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
  "/ServiceAccount": `${top} secrets=2:[]ObjectReference imagePullSecrets=3 automountServiceAccountToken=4`,
  LocalObjectReference: "name=1",
  "/Service": withSpec("ServiceSpec"),
  ServiceSpec: `ports=1 selector=2 clusterIP=3 type=4 externalIPs=5 sessionAffinity=7 loadBalancerIP=8
    loadBalancerSourceRanges=9 externalName=10 externalTrafficPolicy=11 publishNotReadyAddresses=13
    healthCheckNodePort=12 sessionAffinityConfig=14:SessionAffinityConfig ipFamilyPolicy=17 clusterIPs=18
    ipFamilies=19 allocateLoadBalancerNodePorts=20 loadBalancerClass=21 internalTrafficPolicy=22
    trafficDistribution=23`,
  SessionAffinityConfig: "clientIP=1:ClientIPConfig",
  ClientIPConfig: "timeoutSeconds=1:int",
  ObjectReference: `kind=1:string namespace=2:string name=3:string uid=4:string apiVersion=5:string
    resourceVersion=6:string fieldPath=7:string`,
  ServicePort: "name=1 protocol=2 port=3 targetPort=4 nodePort=5 appProtocol=6",
  "/ResourceQuota": withSpec("ResourceQuotaSpec"),
  ResourceQuotaSpec: "hard=1 scopes=2 scopeSelector=3:ScopeSelector",
  ScopeSelector: "matchExpressions=1:[]ScopedSelectorRequirement",
  ScopedSelectorRequirement: "scopeName=1:string operator=2:string values=3:[]string",
  "apps/Deployment": withSpec("DeploymentSpec"),
  DeploymentSpec: `replicas=1 selector=2 template=3 strategy=4 minReadySeconds=5 revisionHistoryLimit=6 paused=7
    progressDeadlineSeconds=9`,
  DeploymentStrategy: "type=1 rollingUpdate=2",
  RollingUpdateDeployment: "maxUnavailable=1 maxSurge=2",
  PodTemplateSpec: withSpec("PodSpec"),
  "/Pod": withSpec("PodSpec"),
  PodSpec: `containers=2 restartPolicy=3 terminationGracePeriodSeconds=4 activeDeadlineSeconds=5 dnsPolicy=6
    nodeSelector=7 serviceAccountName=8 serviceAccount=9 nodeName=10 hostNetwork=11 hostPID=12 hostIPC=13
    securityContext=14 imagePullSecrets=15 hostname=16 subdomain=17 affinity=18 schedulerName=19
    initContainers=20 automountServiceAccountToken=21 tolerations=22 hostAliases=23 priorityClassName=24
    priority=25 dnsConfig=26 shareProcessNamespace=27 readinessGates=28 runtimeClassName=29
    enableServiceLinks=30 preemptionPolicy=31 overhead=32 topologySpreadConstraints=33
    ephemeralContainers=34 setHostnameAsFQDN=35 os=36:PodOS hostUsers=37 schedulingGates=38 volumes=1`,
  PodOS: "name=1:string",
  PodSchedulingGate: "name=1",
  PodReadinessGate: "conditionType=1",
  HostAlias: "ip=1 hostnames=2",
  PodDNSConfig: "nameservers=1 searches=2 options=3",
  PodDNSConfigOption: "name=1 value=2",
  TopologySpreadConstraint: `maxSkew=1 topologyKey=2 whenUnsatisfiable=3 labelSelector=4 minDomains=5
    nodeAffinityPolicy=6 nodeTaintsPolicy=7 matchLabelKeys=8`,
  PodSecurityContext: `seLinuxOptions=1:SELinuxOptions runAsUser=2 runAsNonRoot=3 supplementalGroups=4 fsGroup=5
    runAsGroup=6 sysctls=7 fsGroupChangePolicy=9 seccompProfile=10:SeccompProfile
    appArmorProfile=11:SeccompProfile supplementalGroupsPolicy=12`,
  SecurityContext: `capabilities=1 privileged=2 seLinuxOptions=3:SELinuxOptions runAsUser=4 runAsNonRoot=5
    readOnlyRootFilesystem=6 allowPrivilegeEscalation=7 runAsGroup=8 procMount=9
    seccompProfile=11:SeccompProfile appArmorProfile=12:SeccompProfile`,
  SELinuxOptions: "user=1:string role=2:string type=3:string level=4:string",
  SeccompProfile: "type=1:string localhostProfile=2:string",
  Capabilities: "add=1 drop=2",
  Sysctl: "name=1 value=2",
  Affinity: "nodeAffinity=1:NodeAffinity podAffinity=2:PodAffinity podAntiAffinity=3:PodAffinity",
  NodeAffinity: `requiredDuringSchedulingIgnoredDuringExecution=1:NodeSelector
    preferredDuringSchedulingIgnoredDuringExecution=2:[]PreferredSchedulingTerm`,
  NodeSelector: "nodeSelectorTerms=1:[]NodeSelectorTerm",
  NodeSelectorTerm: "matchExpressions=1:[]LabelSelectorRequirement matchFields=2:[]LabelSelectorRequirement",
  PreferredSchedulingTerm: "weight=1:int preference=2:NodeSelectorTerm",
  PodAffinity: `requiredDuringSchedulingIgnoredDuringExecution=1:[]PodAffinityTerm
    preferredDuringSchedulingIgnoredDuringExecution=2:[]WeightedPodAffinityTerm`,
  WeightedPodAffinityTerm: "weight=1:int podAffinityTerm=2:PodAffinityTerm",
  PodAffinityTerm: `labelSelector=1:LabelSelector namespaces=2:[]string topologyKey=3:string
    namespaceSelector=4:LabelSelector matchLabelKeys=5:[]string mismatchLabelKeys=6:[]string`,
  Volume: "name=1 $inline=2:VolumeSource",
  VolumeSource: `hostPath=1:HostPathVolumeSource emptyDir=2:EmptyDirVolumeSource secret=6:SecretVolumeSource
    nfs=7:NFSVolumeSource persistentVolumeClaim=10:PersistentVolumeClaimVolumeSource
    downwardAPI=16:DownwardAPIVolumeSource configMap=19:ConfigMapVolumeSource projected=26:ProjectedVolumeSource`,
  NFSVolumeSource: "server=1:string path=2:string readOnly=3:bool",
  HostPathVolumeSource: "path=1 type=2",
  EmptyDirVolumeSource: "medium=1 sizeLimit=2",
  SecretVolumeSource: "secretName=1 items=2 defaultMode=3 optional=4",
  ConfigMapVolumeSource: "$inline=1:LocalObjectReference items=2 defaultMode=3 optional=4",
  KeyToPath: "key=1 path=2 mode=3",
  PersistentVolumeClaimVolumeSource: "claimName=1 readOnly=2",
  DownwardAPIVolumeSource: "items=1 defaultMode=2",
  DownwardAPIVolumeFile: "path=1 fieldRef=2 resourceFieldRef=3 mode=4",
  ProjectedVolumeSource: "sources=1 defaultMode=2",
  VolumeProjection: "secret=1 downwardAPI=2 configMap=3 serviceAccountToken=4",
  SecretProjection: "$inline=1:LocalObjectReference items=2 optional=4",
  ConfigMapProjection: "$inline=1:LocalObjectReference items=2 optional=4",
  DownwardAPIProjection: "items=1",
  ServiceAccountTokenProjection: "audience=1 expirationSeconds=2 path=3",
  Toleration: "key=1 operator=2 value=3 effect=4 tolerationSeconds=5",
  Container: containerFields,
  EphemeralContainer: "$inline=1:Container targetContainerName=2",
  ContainerPort: "name=1 hostPort=2 containerPort=3 protocol=4 hostIP=5",
  EnvFromSource: "prefix=1 configMapRef=2 secretRef=3",
  ConfigMapEnvSource: "$inline=1:LocalObjectReference optional=2",
  SecretEnvSource: "$inline=1:LocalObjectReference optional=2",
  EnvVar: "name=1 value=2 valueFrom=3",
  EnvVarSource: "fieldRef=1 resourceFieldRef=2 configMapKeyRef=3 secretKeyRef=4",
  ObjectFieldSelector: "apiVersion=1 fieldPath=2",
  ResourceFieldSelector: "containerName=1 resource=2 divisor=3",
  ConfigMapKeySelector: "$inline=1:LocalObjectReference key=2 optional=3",
  SecretKeySelector: "$inline=1:LocalObjectReference key=2 optional=3",
  ResourceRequirements: "limits=1 requests=2",
  VolumeMount: "name=1 readOnly=2 mountPath=3 subPath=4 mountPropagation=5 subPathExpr=6 recursiveReadOnly=7",
  VolumeDevice: "name=1 devicePath=2",
  ContainerResizePolicy: "resourceName=1:string restartPolicy=2:string",
  Probe: `$inline=1:ProbeHandler initialDelaySeconds=2 timeoutSeconds=3 periodSeconds=4 successThreshold=5
    failureThreshold=6 terminationGracePeriodSeconds=7`,
  Lifecycle: "postStart=1 preStop=2",
  ProbeHandler: "exec=1:ExecAction httpGet=2:HTTPGetAction tcpSocket=3:TCPSocketAction grpc=4:GRPCAction",
  LifecycleHandler: "exec=1 httpGet=2 tcpSocket=3 sleep=4",
  SleepAction: "seconds=1",
  ExecAction: "command=1",
  HTTPGetAction: "path=1 port=2 host=3 scheme=4 httpHeaders=5",
  HTTPHeader: "name=1 value=2",
  TCPSocketAction: "port=1 host=2",
  GRPCAction: "port=1 service=2",
  "batch/Job": withSpec("JobSpec"),
  JobSpec: `parallelism=1 completions=2 activeDeadlineSeconds=3 selector=4 manualSelector=5 template=6
    backoffLimit=7 ttlSecondsAfterFinished=8 completionMode=9 suspend=10 backoffLimitPerIndex=12
    maxFailedIndexes=13 podReplacementPolicy=14 managedBy=15`,
  "batch/CronJob": withSpec("CronJobSpec"),
  CronJobSpec: `schedule=1 startingDeadlineSeconds=2 concurrencyPolicy=3 suspend=4 jobTemplate=5
    successfulJobsHistoryLimit=6 failedJobsHistoryLimit=7 timeZone=8`,
  JobTemplateSpec: withSpec("JobSpec"),
  "rbac.authorization.k8s.io/Role": `${top} rules=2`,
  "rbac.authorization.k8s.io/ClusterRole": `${top} rules=2 aggregationRule=3:AggregationRule`,
  AggregationRule: "clusterRoleSelectors=1:[]LabelSelector",
  PolicyRule: "verbs=1 apiGroups=2 resources=3 resourceNames=4 nonResourceURLs=5",
  "rbac.authorization.k8s.io/RoleBinding": `${top} subjects=2 roleRef=3`,
  "rbac.authorization.k8s.io/ClusterRoleBinding": `${top} subjects=2 roleRef=3`,
  Subject: "kind=1 apiGroup=2 name=3 namespace=4",
  RoleRef: "apiGroup=1 kind=2 name=3",
  "policy/PodDisruptionBudget": withSpec("PodDisruptionBudgetSpec"),
  PodDisruptionBudgetSpec: "minAvailable=1 selector=2 maxUnavailable=3 unhealthyPodEvictionPolicy=4",
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
  IngressBackend: "resource=3:TypedLocalObjectReference service=4:IngressServiceBackend",
  TypedLocalObjectReference: "apiGroup=1:string kind=2:string name=3:string",
  IngressServiceBackend: "name=1:string port=2:ServiceBackendPort",
  ServiceBackendPort: "name=1:string number=2:int",
  "scheduling.k8s.io/PriorityClass": `${top} value=2:int globalDefault=3:bool description=4:string
    preemptionPolicy=5:string`,
  "authentication.k8s.io/TokenRequest": withSpec("TokenRequestSpec"),
  TokenRequestSpec: "audiences=1:[]string boundObjectRef=3:BoundObjectReference expirationSeconds=4:int",
  BoundObjectReference: "kind=1:string apiVersion=2:string name=3:string uid=4:string",
  "authentication.k8s.io/SelfSubjectReview": top,
  "authorization.k8s.io/SelfSubjectAccessReview": withSpec("AccessReviewSpec"),
  "authorization.k8s.io/SelfSubjectRulesReview": withSpec("RulesReviewSpec"),
  AccessReviewSpec: "resourceAttributes=1:ResourceAttributes nonResourceAttributes=2:NonResourceAttributes",
  ResourceAttributes: `namespace=1:string verb=2:string group=3:string version=4:string resource=5:string
    subresource=6:string name=7:string`,
  NonResourceAttributes: "path=1:string verb=2:string",
  RulesReviewSpec: "namespace=1:string",
};

const simple: Readonly<Record<string, FieldType>> = {
  string: { kind: "string" },
  int: { kind: "int", bits: 32 },
  bool: { kind: "bool" },
  quantity: { kind: "quantity" },
};

function givenType(text: string): FieldType {
  if (text.startsWith("[]")) return { kind: "list", of: givenType(text.slice(2)) };
  return simple[text] ?? { kind: "struct", model: text };
}

/** How the models' names begin. */
const prefixes = ["V1", "V2", "CoreV1", "RbacV1"];

function typeOf(message: string, name: string, given: string | undefined): WireField["type"] {
  if (given === "bytes") return { kind: "bytes-map" };
  if (given !== undefined) return givenType(given);
  const struct = message.slice(message.lastIndexOf("/") + 1);
  const known = prefixes.map((prefix) => findStruct(`${prefix}${struct}`)?.get(name));
  return known.find((type) => type !== undefined) ?? { kind: "any" };
}

function parse(message: string, text: string): Message {
  return new Map(
    text.split(/\s+/).map((field) => {
      const [name = "", rest = ""] = field.split("=");
      const [number, given] = rest.split(/:(.*)/);
      return [Number(number), { name, type: typeOf(message, name, given) }] as const;
    }),
  );
}

const parsed = new Map<string, Message>();

/** By Go struct name, or by `group/Kind` (`group/version/Kind` where versions differ). */
export function findMessage(name: string): Message | undefined {
  const text = messages[name];
  if (text === undefined || !Object.hasOwn(messages, name)) return undefined;
  const message = parsed.get(name) ?? parse(name, text);
  parsed.set(name, message);
  return message;
}
