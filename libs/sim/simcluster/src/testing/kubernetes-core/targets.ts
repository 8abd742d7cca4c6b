/** Releases of kubernetes.core whose targets run: of current Ansible, and of Debian's. */
export type CollectionVersion = "6.2.0" | "2.4.0";

/** Why a target is not run: what it needs from outside. Empty: it needs a cluster and the collection's packages. */
type Reason = string;

const nothing: Reason = "";
const everywhere: Readonly<Record<string, Reason>> = {
  helm: "needs the program helm and charts, from the Internet",
  helm_diff: "needs the program helm and a plug-in, from the Internet",
  helm_kubeconfig: "needs the program helm and charts, from the Internet",
  helm_plugin: "needs the program helm and a plug-in, from the Internet",
  helm_pull: "needs the program helm and charts, from the Internet",
  helm_repository: "needs the program helm and repositories, from the Internet",
  helm_set_values: "needs the program helm and charts, from the Internet",
  k8s_access_review: nothing,
  k8s_append_hash: nothing,
  k8s_apply: nothing,
  k8s_check_mode: nothing,
  k8s_cluster_info: nothing,
  k8s_copy: nothing,
  k8s_crd: nothing,
  k8s_delete: nothing,
  k8s_diff: nothing,
  k8s_drain: nothing,
  k8s_exec: nothing,
  k8s_full: nothing,
  k8s_gc: nothing,
  k8s_generate_name: nothing,
  k8s_info: "needs manifests of KubeVirt, from the Internet",
  k8s_json_patch: nothing,
  k8s_label_selectors: nothing,
  k8s_lists: nothing,
  k8s_log: nothing,
  k8s_manifest_url: "needs a container engine for a file server",
  k8s_merge_type: nothing,
  k8s_patched: nothing,
  k8s_rollback: nothing,
  k8s_scale: nothing,
  k8s_taint: nothing,
  k8s_template: nothing,
  k8s_user_impersonation: nothing,
  k8s_validate: nothing,
  k8s_waiter: nothing,
  lookup_k8s: nothing,
  lookup_kustomize: "needs the programs kustomize and kubectl 1.22, from the Internet",
};

const templatesInConditions =
  "needs an older ansible-core: since 2.14.12 a condition may not have a template of a module's result";

/** 1 MiB takes Python 3.11 six seconds and 3.9 a fortieth of one; the time grows with the square of the size. */
const textByConcatenation =
  "needs Python 3.10 or older: its own module adds up 150 MiB of text line by line, hours of work for Debian's 3.11";

/** What one release has alone, or needs otherwise. */
const own: Readonly<Record<CollectionVersion, Readonly<Record<string, Reason>>>> = {
  "6.2.0": {
    helm_plain_http: "needs the program helm, from the Internet, and a container engine for a registry",
    helm_registry_auth: "needs the program helm, from the Internet, and a container engine for a registry",
    k8s_hide_fields: nothing,
    k8s_json_patch_hide_fields: nothing,
  },
  "2.4.0": {
    inventory_k8s:
      "needs pods that run Python: it runs Ansible's modules in them, and embedded clusters run no programs",
    k8s_copy: textByConcatenation,
    k8s_drain: templatesInConditions,
    k8s_full: templatesInConditions,
    k8s_taint: templatesInConditions,
  },
};

/** The integration targets of a release of Ansible's collection kubernetes.core, and what each needs from outside. */
export const targetsOf = (version: CollectionVersion): ReadonlyMap<string, Reason> =>
  new Map(Object.entries({ ...everywhere, ...own[version] }));

/** Folders among the targets that only help others. */
export const helpers: ReadonlySet<string> = new Set([
  "install_helm",
  "push_to_helm_registry",
  "remove_namespace",
  "setup_helm_registry",
  "setup_kubeconfig",
  "setup_namespace",
]);
