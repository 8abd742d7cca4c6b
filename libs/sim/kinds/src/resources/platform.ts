import {
  bindingPrinter,
  budgetPrinter,
  definitionPrinter,
  endpointSlicePrinter,
  ingressPrinter,
  leasePrinter,
  networkPolicyPrinter,
  priorityClassPrinter,
  rolePrinter,
  signingRequestPrinter,
  storageClassPrinter,
} from "../printers/policy-printers.ts";
import { inGroup } from "../resource-type/define.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";

const rbac = inGroup("rbac.authorization.k8s.io", "v1");
const networking = inGroup("networking.k8s.io", "v1");
const admission = inGroup("admissionregistration.k8s.io", "v1");
const authorization = inGroup("authorization.k8s.io", "v1");
const clusterScoped = true;
const verbs = ["create"];

export const platformResources: readonly ResourceType[] = [
  inGroup("policy", "v1")("poddisruptionbudgets", "PodDisruptionBudget", {
    short: ["pdb"],
    printer: budgetPrinter,
  }),
  networking("ingresses", "Ingress", { short: ["ing"], printer: ingressPrinter }),
  networking("networkpolicies", "NetworkPolicy", { short: ["netpol"], printer: networkPolicyPrinter }),
  networking("ingressclasses", "IngressClass", { clusterScoped }),
  inGroup("discovery.k8s.io", "v1")("endpointslices", "EndpointSlice", { printer: endpointSlicePrinter }),
  rbac("clusterrolebindings", "ClusterRoleBinding", { clusterScoped, printer: bindingPrinter }),
  rbac("clusterroles", "ClusterRole", { clusterScoped, printer: rolePrinter }),
  rbac("rolebindings", "RoleBinding", { printer: bindingPrinter }),
  rbac("roles", "Role", { printer: rolePrinter }),
  inGroup("storage.k8s.io", "v1")("storageclasses", "StorageClass", {
    short: ["sc"],
    clusterScoped,
    printer: storageClassPrinter,
  }),
  inGroup("coordination.k8s.io", "v1")("leases", "Lease", { printer: leasePrinter }),
  inGroup("scheduling.k8s.io", "v1")("priorityclasses", "PriorityClass", {
    short: ["pc"],
    clusterScoped,
    printer: priorityClassPrinter,
  }),
  inGroup("apiextensions.k8s.io", "v1")("customresourcedefinitions", "CustomResourceDefinition", {
    short: ["crd", "crds"],
    categories: ["api-extensions"],
    clusterScoped,
    printer: definitionPrinter,
  }),
  inGroup("certificates.k8s.io", "v1")("certificatesigningrequests", "CertificateSigningRequest", {
    short: ["csr"],
    clusterScoped,
    subresources: [{ name: "approval", kind: "CertificateSigningRequest", verbs: ["get", "update"] }],
    printer: signingRequestPrinter,
  }),
  admission("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", {
    categories: ["api-extensions"],
    clusterScoped,
  }),
  admission("validatingwebhookconfigurations", "ValidatingWebhookConfiguration", {
    categories: ["api-extensions"],
    clusterScoped,
  }),
  authorization("localsubjectaccessreviews", "LocalSubjectAccessReview", { verbs }),
  authorization("selfsubjectaccessreviews", "SelfSubjectAccessReview", { clusterScoped, verbs }),
  authorization("selfsubjectrulesreviews", "SelfSubjectRulesReview", { clusterScoped, verbs }),
  authorization("subjectaccessreviews", "SubjectAccessReview", { clusterScoped, verbs }),
  inGroup("authentication.k8s.io", "v1")("selfsubjectreviews", "SelfSubjectReview", { clusterScoped, verbs }),
  inGroup("authentication.k8s.io", "v1")("tokenreviews", "TokenReview", { clusterScoped, verbs }),
];
