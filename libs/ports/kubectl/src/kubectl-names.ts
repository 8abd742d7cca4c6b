const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** The commands of kubectl 1.32 to 1.34, without plugins. */
const verbs = words(
  "create expose run set explain get edit delete rollout scale autoscale certificate cluster-info top cordon uncordon drain taint describe logs attach exec port-forward proxy cp auth debug events diff apply patch replace wait kustomize label annotate completion api-resources api-versions config plugin version help options alpha",
);

/** The long names of the flags of all of them, with hidden ones. */
const flags = words(
  "accept-hosts accept-paths address aggregation-rule all all-containers all-namespaces all-pods allow-missing-template-keys annotation annotations api-group api-prefix api-version append-hash append-server-path arguments-only as as-current-user as-group as-uid attach audience auth-provider auth-provider-arg bound-object-kind bound-object-name bound-object-uid cache-dir cached cascade categories cert certificate-authority chunk-size class client client-certificate client-key cluster cluster-ip clusterip clusterrole command concurrency container containers context copy-to cpu-percent create-annotation current current-replicas custom default-backend delete-emptydir-data description disable-compression disable-eviction disable-filter docker-email docker-password docker-server docker-username dry-run duration edit embed-certs enable-alpha-plugins enable-helm env exec-api-version exec-arg exec-command exec-env exec-interactive-mode exec-provide-cluster-info expose external-ip external-name field-manager field-selector filename flatten follow for force force-conflicts from from-env-file from-file from-literal global-default grace-period group hard helm-api-versions helm-command helm-debug helm-kube-version help ignore-daemonsets ignore-errors ignore-not-found image image-pull-policy insecure-skip-tls-verify insecure-skip-tls-verify-backend interactive keep-annotations keep-init-containers keep-labels keep-liveness keep-readiness keep-startup keepalive key keys kubeconfig kustomize label-columns labels leave-stdin-open limit-bytes limits list load-balancer-ip load-restrictor local log-flush-frequency match-server-version max max-log-requests max-unavailable merge min min-available minify mount name name-only namespace namespaced namespaces network network-name no-headers no-preserve node-port non-resource-url now openapi-patch output output-directory output-patch output-watch-events override-type overrides overwrite password patch patch-file pod-running-timeout pod-selector port preemption-policy prefix previous privileged profile profile-output protocol proxy-url prune prune-allowlist quiet raw record recursive reject-methods reject-paths remove-extra-permissions remove-extra-subjects replace replicas request-timeout requests resolve resource resource-name resource-version restart retries revision rm role rule same-node save-config schedule scopes selector server server-print server-side serviceaccount session-affinity set-image set-raw-bytes share-processes show-capacity show-events show-kind show-labels show-managed-fields since since-time skip-wait-for-delete-timeout sort-by stdin subresource sum tail target target-port tcp template timeout timestamps tls-server-name to-revision token tty type types unix-socket use-protocol-buffers user username v validate value verb verbs vmodule wait warnings-as-errors watch watch-only windows-line-endings www www-prefix",
);

/** Subcommands of those verbs that `in-process` knows a part of. */
const subcommands = {
  rollout: words("history pause restart resume status undo"),
  set: words("env image resources selector serviceaccount subject"),
};

/** Whether kubectl has a command of this name; another one is its caller's mistake. */
export const isVerb = (word: string): boolean => verbs.has(word);

/** Whether any command of kubectl has a flag with this long name. */
export const isFlag = (name: string): boolean => flags.has(name);

/** Whether the verb has such a subcommand. */
export const isSubcommand = (verb: keyof typeof subcommands, word: string): boolean =>
  subcommands[verb].has(word);
