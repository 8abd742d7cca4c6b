/** The structs that make up a pod. Volume sources of cloud vendors are not told apart. */
export const podStructs: Readonly<Record<string, string>> = {
  PodTemplateSpec: "metadata:ObjectMeta spec:PodSpec",
  PodSpec: `volumes:[]Volume initContainers:[]Container containers:[]Container
    ephemeralContainers:[]EphemeralContainer restartPolicy terminationGracePeriodSeconds:int
    activeDeadlineSeconds:int dnsPolicy nodeSelector:{}string serviceAccountName serviceAccount
    automountServiceAccountToken:bool nodeName hostNetwork:bool hostPID:bool hostIPC:bool
    shareProcessNamespace:bool securityContext:PodSecurityContext imagePullSecrets:[]LocalObjectReference
    hostname subdomain affinity:Affinity schedulerName tolerations:[]Toleration hostAliases:[]HostAlias
    priorityClassName priority:int dnsConfig:PodDNSConfig readinessGates:[]PodReadinessGate runtimeClassName
    enableServiceLinks:bool preemptionPolicy overhead:{}quantity
    topologySpreadConstraints:[]TopologySpreadConstraint setHostnameAsFQDN:bool os:any hostUsers:bool
    schedulingGates:[]PodSchedulingGate resourceClaims:[]any`,
  Container: `name image command:[]string args:[]string workingDir ports:[]ContainerPort
    envFrom:[]EnvFromSource env:[]EnvVar resources:ResourceRequirements resizePolicy:[]any restartPolicy
    volumeMounts:[]VolumeMount volumeDevices:[]VolumeDevice livenessProbe:Probe readinessProbe:Probe
    startupProbe:Probe lifecycle:Lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
    securityContext:SecurityContext stdin:bool stdinOnce:bool tty:bool`,
  EphemeralContainer: `name image command:[]string args:[]string workingDir ports:[]ContainerPort
    envFrom:[]EnvFromSource env:[]EnvVar resources:ResourceRequirements resizePolicy:[]any restartPolicy
    volumeMounts:[]VolumeMount volumeDevices:[]VolumeDevice livenessProbe:Probe readinessProbe:Probe
    startupProbe:Probe lifecycle:Lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
    securityContext:SecurityContext stdin:bool stdinOnce:bool tty:bool targetContainerName`,
  ContainerPort: "name hostPort:int containerPort:int protocol hostIP",
  EnvFromSource: "prefix configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource",
  ConfigMapEnvSource: "name optional:bool",
  SecretEnvSource: "name optional:bool",
  EnvVar: "name value valueFrom:EnvVarSource",
  EnvVarSource: `fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector
    configMapKeyRef:ConfigMapKeySelector secretKeyRef:SecretKeySelector`,
  ObjectFieldSelector: "apiVersion fieldPath",
  ResourceFieldSelector: "containerName resource divisor:quantity",
  ConfigMapKeySelector: "name key optional:bool",
  SecretKeySelector: "name key optional:bool",
  ResourceRequirements: "limits:{}quantity requests:{}quantity claims:[]any",
  VolumeMount: "name readOnly:bool recursiveReadOnly mountPath subPath mountPropagation subPathExpr",
  VolumeDevice: "name devicePath",
  Probe: `exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction
    initialDelaySeconds:int timeoutSeconds:int periodSeconds:int successThreshold:int failureThreshold:int
    terminationGracePeriodSeconds:int`,
  Lifecycle: "postStart:LifecycleHandler preStop:LifecycleHandler",
  LifecycleHandler: "exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction",
  SleepAction: "seconds:int",
  ExecAction: "command:[]string",
  HTTPGetAction: "path port:intstr host scheme httpHeaders:[]HTTPHeader",
  HTTPHeader: "name value",
  TCPSocketAction: "port:intstr host",
  GRPCAction: "port:int service",
  SecurityContext: `capabilities:Capabilities privileged:bool seLinuxOptions:any windowsOptions:any runAsUser:int
    runAsGroup:int runAsNonRoot:bool readOnlyRootFilesystem:bool allowPrivilegeEscalation:bool procMount
    seccompProfile:any appArmorProfile:any`,
  Capabilities: "add:[]string drop:[]string",
  PodSecurityContext: `seLinuxOptions:any windowsOptions:any runAsUser:int runAsGroup:int runAsNonRoot:bool
    supplementalGroups:[]int supplementalGroupsPolicy fsGroup:int sysctls:[]HTTPHeader fsGroupChangePolicy
    seccompProfile:any appArmorProfile:any`,
  LocalObjectReference: "name",
  Affinity: "nodeAffinity:any podAffinity:any podAntiAffinity:any",
  Toleration: "key operator value effect tolerationSeconds:int",
  HostAlias: "ip hostnames:[]string",
  PodDNSConfig: "nameservers:[]string searches:[]string options:[]PodDNSConfigOption",
  PodDNSConfigOption: "name value",
  PodReadinessGate: "conditionType",
  PodSchedulingGate: "name",
  TopologySpreadConstraint: `maxSkew:int topologyKey whenUnsatisfiable labelSelector:LabelSelector minDomains:int
    nodeAffinityPolicy nodeTaintsPolicy matchLabelKeys:[]string`,
  Volume: `name emptyDir:EmptyDirVolumeSource hostPath:HostPathVolumeSource configMap:ConfigMapVolumeSource
    secret:SecretVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource
    downwardAPI:DownwardAPIVolumeSource projected:ProjectedVolumeSource nfs:any csi:any ephemeral:any iscsi:any
    gcePersistentDisk:any awsElasticBlockStore:any gitRepo:any glusterfs:any rbd:any flexVolume:any cinder:any
    cephfs:any flocker:any fc:any azureFile:any vsphereVolume:any quobyte:any azureDisk:any
    photonPersistentDisk:any portworxVolume:any scaleIO:any storageos:any image:any`,
  EmptyDirVolumeSource: "medium sizeLimit:quantity",
  HostPathVolumeSource: "path type",
  KeyToPath: "key path mode:int",
  ConfigMapVolumeSource: "name items:[]KeyToPath defaultMode:int optional:bool",
  SecretVolumeSource: "secretName items:[]KeyToPath defaultMode:int optional:bool",
  PersistentVolumeClaimVolumeSource: "claimName readOnly:bool",
  DownwardAPIVolumeSource: "items:[]DownwardAPIVolumeFile defaultMode:int",
  DownwardAPIVolumeFile: "path fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode:int",
  ProjectedVolumeSource: "sources:[]VolumeProjection defaultMode:int",
  VolumeProjection: `secret:SecretProjection configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection
    serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle:any`,
  SecretProjection: "name items:[]KeyToPath optional:bool",
  ConfigMapProjection: "name items:[]KeyToPath optional:bool",
  DownwardAPIProjection: "items:[]DownwardAPIVolumeFile",
  ServiceAccountTokenProjection: "audience expirationSeconds:int path",
};
