const object = (fields: string): string => `apiVersion kind metadata:ObjectMeta ${fields}`;

/** Autoscaling, networking, storage, nodes and definitions. Top-level kinds are keyed `group/Kind`. */
export const platformStructs: Readonly<Record<string, string>> = {
  ObjectReference: "kind namespace name uid apiVersion resourceVersion fieldPath",
  TypedLocalObjectReference: "apiGroup kind name",

  "autoscaling/HorizontalPodAutoscaler": object("spec:HorizontalPodAutoscalerSpec status:any"),
  HorizontalPodAutoscalerSpec: `scaleTargetRef:CrossVersionObjectReference minReplicas:int maxReplicas:int
    metrics:[]MetricSpec behavior:HorizontalPodAutoscalerBehavior targetCPUUtilizationPercentage:int`,
  CrossVersionObjectReference: "kind name apiVersion",
  MetricSpec:
    "type resource:ResourceMetricSource containerResource:ResourceMetricSource pods:any object:any external:any",
  ResourceMetricSource: "name container target:MetricTarget",
  MetricTarget: "type value:quantity averageValue:quantity averageUtilization:int",
  HorizontalPodAutoscalerBehavior: "scaleUp:HPAScalingRules scaleDown:HPAScalingRules",
  HPAScalingRules:
    "stabilizationWindowSeconds:int selectPolicy policies:[]HPAScalingPolicy tolerance:quantity",
  HPAScalingPolicy: "type value:int periodSeconds:int",
  "policy/PodDisruptionBudget": object("spec:PodDisruptionBudgetSpec status:any"),
  PodDisruptionBudgetSpec:
    "minAvailable:intstr selector:LabelSelector maxUnavailable:intstr unhealthyPodEvictionPolicy",

  "networking.k8s.io/NetworkPolicy": object("spec:NetworkPolicySpec status:any"),
  NetworkPolicySpec: `podSelector:LabelSelector ingress:[]NetworkPolicyIngressRule
    egress:[]NetworkPolicyEgressRule policyTypes:[]string`,
  NetworkPolicyIngressRule: "ports:[]NetworkPolicyPort from:[]NetworkPolicyPeer",
  NetworkPolicyEgressRule: "ports:[]NetworkPolicyPort to:[]NetworkPolicyPeer",
  NetworkPolicyPort: "protocol port:intstr endPort:int",
  NetworkPolicyPeer: "podSelector:LabelSelector namespaceSelector:LabelSelector ipBlock:IPBlock",
  IPBlock: "cidr except:[]string",
  "networking.k8s.io/Ingress": object("spec:IngressSpec status:any"),
  IngressSpec: "ingressClassName defaultBackend:IngressBackend tls:[]IngressTLS rules:[]IngressRule",
  IngressBackend: "service:IngressServiceBackend resource:TypedLocalObjectReference",
  IngressServiceBackend: "name port:ServiceBackendPort",
  ServiceBackendPort: "name number:int",
  IngressTLS: "hosts:[]string secretName",
  IngressRule: "host http:HTTPIngressRuleValue",
  HTTPIngressRuleValue: "paths:[]HTTPIngressPath",
  HTTPIngressPath: "path pathType backend:IngressBackend",
  "/Endpoints": object("subsets:[]EndpointSubset"),
  EndpointSubset: "addresses:[]EndpointAddress notReadyAddresses:[]EndpointAddress ports:[]EndpointPort",
  EndpointAddress: "ip hostname nodeName targetRef:ObjectReference",
  EndpointPort: "name port:int protocol appProtocol",
  "discovery.k8s.io/EndpointSlice": object("addressType endpoints:[]Endpoint ports:[]EndpointPort"),
  Endpoint: `addresses:[]string conditions:EndpointConditions hostname targetRef:ObjectReference
    deprecatedTopology:{}string nodeName zone hints:any`,
  EndpointConditions: "ready:bool serving:bool terminating:bool",

  "/PersistentVolume": object("spec:PersistentVolumeSpec status:any"),
  PersistentVolumeSpec: `capacity:{}quantity accessModes:[]string claimRef:ObjectReference
    persistentVolumeReclaimPolicy storageClassName mountOptions:[]string volumeMode nodeAffinity:any
    volumeAttributesClassName awsElasticBlockStore:any azureDisk:any azureFile:any cephfs:any cinder:any csi:any
    fc:any flexVolume:any flocker:any gcePersistentDisk:any glusterfs:any hostPath:any iscsi:any local:any nfs:any
    photonPersistentDisk:any portworxVolume:any quobyte:any rbd:any scaleIO:any storageos:any vsphereVolume:any`,
  "storage.k8s.io/StorageClass": object(`provisioner parameters:{}string reclaimPolicy mountOptions:[]string
    allowVolumeExpansion:bool volumeBindingMode allowedTopologies:[]any`),
  "scheduling.k8s.io/PriorityClass": object("value:int globalDefault:bool description preemptionPolicy"),
  "coordination.k8s.io/Lease": object("spec:LeaseSpec"),
  LeaseSpec: `holderIdentity leaseDurationSeconds:int acquireTime renewTime leaseTransitions:int strategy
    preferredHolder`,
  "certificates.k8s.io/CertificateSigningRequest": object("spec:CertificateSigningRequestSpec status:any"),
  CertificateSigningRequestSpec: `request signerName expirationSeconds:int usages:[]string username uid
    groups:[]string extra:any`,
  "/Node": object("spec:NodeSpec status:any"),
  NodeSpec: `podCIDR podCIDRs:[]string providerID unschedulable:bool taints:[]Taint configSource:any externalID`,
  Taint: "key value effect timeAdded",

  "apiextensions.k8s.io/CustomResourceDefinition": object("spec:CustomResourceDefinitionSpec status:any"),
  CustomResourceDefinitionSpec: `group names:CustomResourceDefinitionNames scope
    versions:[]CustomResourceDefinitionVersion conversion:CustomResourceConversion preserveUnknownFields:bool`,
  CustomResourceDefinitionNames: "plural singular shortNames:[]string kind listKind categories:[]string",
  CustomResourceDefinitionVersion: `name served:bool storage:bool deprecated:bool deprecationWarning
    schema:CustomResourceValidation subresources:CustomResourceSubresources
    additionalPrinterColumns:[]CustomResourceColumnDefinition selectableFields:[]SelectableField`,
  CustomResourceValidation: "openAPIV3Schema:{}any",
  CustomResourceSubresources: "status:{}any scale:CustomResourceSubresourceScale",
  CustomResourceSubresourceScale: "specReplicasPath statusReplicasPath labelSelectorPath",
  CustomResourceColumnDefinition: "name type format description priority:int jsonPath",
  SelectableField: "jsonPath",
  CustomResourceConversion: "strategy webhook:any",
};
