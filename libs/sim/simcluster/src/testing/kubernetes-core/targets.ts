/** What comes of a target here. */
type Outcome = "passes" | "open" | { readonly needs: string };

/**
 * The integration targets of Ansible's collection kubernetes.core, as it ships them. `passes`: with nothing but a cluster
 * and the Python packages that the collection names. `open`: it needs no more, and was not seen to pass yet. Else what it
 * needs from outside.
 */
export const targets: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ...[
    "k8s_access_review",
    "k8s_append_hash",
    "k8s_check_mode",
    "k8s_cluster_info",
    "k8s_crd",
    "k8s_delete",
    "k8s_diff",
    "k8s_exec",
    "k8s_generate_name",
    "k8s_hide_fields",
    "k8s_json_patch",
    "k8s_json_patch_hide_fields",
    "k8s_label_selectors",
    "k8s_lists",
    "k8s_log",
    "k8s_merge_type",
    "k8s_patched",
    "k8s_scale",
    "k8s_taint",
    "k8s_template",
    "k8s_user_impersonation",
    "lookup_k8s",
  ].map((name) => [name, "passes"] as const),
  ...[
    "k8s_apply",
    "k8s_copy",
    "k8s_drain",
    "k8s_full",
    "k8s_gc",
    "k8s_rollback",
    "k8s_validate",
    "k8s_waiter",
  ].map((name) => [name, "open"] as const),
  ...Object.entries({
    helm: "the program helm and charts, from the Internet",
    helm_diff: "the program helm and a plug-in, from the Internet",
    helm_kubeconfig: "the program helm and charts, from the Internet",
    helm_plain_http: "the program helm, from the Internet, and a container engine for a registry",
    helm_plugin: "the program helm and a plug-in, from the Internet",
    helm_pull: "the program helm and charts, from the Internet",
    helm_registry_auth: "the program helm, from the Internet, and a container engine for a registry",
    helm_repository: "the program helm and repositories, from the Internet",
    helm_set_values: "the program helm and charts, from the Internet",
    k8s_info: "manifests of KubeVirt, from the Internet",
    k8s_manifest_url: "a container engine for a file server",
    lookup_kustomize: "the programs kustomize and kubectl 1.22, from the Internet",
  }).map(([name, needs]) => [name, { needs }] as const),
]);

/** Folders among the targets that only help others. */
export const helpers: ReadonlySet<string> = new Set([
  "install_helm",
  "push_to_helm_registry",
  "remove_namespace",
  "setup_helm_registry",
  "setup_kubeconfig",
  "setup_namespace",
]);
