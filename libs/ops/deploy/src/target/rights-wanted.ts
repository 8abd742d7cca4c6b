/** A right that a service cannot work without: a sample of k8s/target, to see that it is bound. */
interface Right {
  readonly account: "injector" | "executor" | "verifier";
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
}

const anywhere = "default";

export const rightsWanted: readonly Right[] = [
  { account: "injector", verb: "create", resource: "deployments.apps", namespace: anywhere },
  { account: "injector", verb: "create", resource: "resourcequotas", namespace: anywhere },
  { account: "injector", verb: "delete", resource: "stresschaos.chaos-mesh.org", namespace: anywhere },
  { account: "injector", verb: "create", resource: "pods/exec", namespace: anywhere },
  { account: "executor", verb: "create", resource: "serviceaccounts/token", namespace: "operators" },
  { account: "executor", verb: "delete", resource: "serviceaccounts", namespace: "operators" },
  {
    account: "executor",
    verb: "create",
    resource: "rolebindings.rbac.authorization.k8s.io",
    namespace: anywhere,
  },
  { account: "executor", verb: "list", resource: "deployments.apps", namespace: anywhere },
  { account: "executor", verb: "update", resource: "services", namespace: anywhere },
  { account: "executor", verb: "delete", resource: "events", namespace: anywhere },
  { account: "verifier", verb: "list", resource: "pods", namespace: anywhere },
  { account: "verifier", verb: "get", resource: "pods.metrics.k8s.io", namespace: anywhere },
  { account: "verifier", verb: "create", resource: "podchaos.chaos-mesh.org", namespace: anywhere },
];
