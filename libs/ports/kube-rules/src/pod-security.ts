type Loose = Readonly<Record<string, unknown>>;

/** What a pod of a namespace may be, as its label `pod-security.kubernetes.io/enforce` says. */
export type PodSecurityLevel = "privileged" | "baseline" | "restricted";

interface Container {
  readonly name: string;
  readonly securityContext?: Loose | undefined;
  readonly ports?: readonly { readonly hostPort?: number }[];
}

/** The fields of a pod's spec that decide. */
export interface SecuredPod {
  readonly securityContext?: Loose | undefined;
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Loose[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
}

const object = (value: unknown): Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const containersOf = (pod: SecuredPod): readonly Container[] => [
  ...(pod.initContainers ?? []),
  ...(pod.containers ?? []),
  ...(pod.ephemeralContainers ?? []),
];

/** `container "a"`, `containers "a", "b"` */
const naming = (some: readonly Container[]): string =>
  `container${some.length === 1 ? "" : "s"} ${some.map(({ name }) => JSON.stringify(name)).join(", ")}`;

/** A check in Kubernetes' words: why a pod is refused; undefined: it is not. */
type Check = (pod: SecuredPod) => string | undefined;

/** Names the containers that fail a test. */
const each =
  (reason: string, fails: (context: Loose, container: Container) => boolean, must: string): Check =>
  (pod) => {
    const bad = containersOf(pod).filter((one) => fails(object(one.securityContext), one));
    return bad.length === 0 ? undefined : `${reason} (${naming(bad)} ${must})`;
  };

const added = (context: Loose): readonly string[] => list(object(context["capabilities"])["add"]).map(String);
const dropped = (context: Loose): readonly string[] =>
  list(object(context["capabilities"])["drop"]).map(String);

const hostNamespaces: Check = (pod) => {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => pod[field] === true);
  return used.length === 0
    ? undefined
    : `host namespaces (${used.map((field) => `${field}=true`).join(", ")})`;
};

const usualCapabilities = new Set(
  ["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"].concat([
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
  ]),
);
const volumeTypes = new Set([
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

const volumesBut =
  (
    reason: string,
    isWrong: (type: string) => boolean,
    say: (names: string, types: string, one: boolean) => string,
  ): Check =>
  ({ volumes = [] }) => {
    const typeOf = (volume: Loose): string => Object.keys(volume).find((key) => key !== "name") ?? "emptyDir";
    const bad = volumes.filter((volume) => isWrong(typeOf(volume)));
    if (bad.length === 0) return undefined;
    const names = bad.map((volume) => JSON.stringify(volume["name"])).join(", ");
    const types = [...new Set(bad.map((volume) => JSON.stringify(typeOf(volume))))].sort().join(", ");
    return `${reason} (${say(names, types, bad.length === 1)})`;
  };

/** What holds for a container: its own value of a field, else the pod's. */
function unset(pod: SecuredPod, isRight: (context: Loose) => boolean | undefined) {
  const own = containersOf(pod).map((one) => ({ one, is: isRight(object(one.securityContext)) }));
  const ofPod = isRight(object(pod.securityContext));
  const explicit = own.filter(({ is }) => is === false).map(({ one }) => one);
  const open = ofPod === undefined ? own.filter(({ is }) => is === undefined).map(({ one }) => one) : [];
  return { ofPod, explicit, open };
}

const runAsNonRoot: Check = (pod) => {
  const { ofPod, explicit, open } = unset(pod, ({ runAsNonRoot: is }) =>
    typeof is === "boolean" ? is : undefined,
  );
  const wrong = [...(ofPod === false ? ["pod"] : []), ...(explicit.length > 0 ? [naming(explicit)] : [])];
  if (wrong.length > 0)
    return `runAsNonRoot != true (${wrong.join(" and ")} must not set securityContext.runAsNonRoot=false)`;
  return open.length === 0
    ? undefined
    : `runAsNonRoot != true (pod or ${naming(open)} must set securityContext.runAsNonRoot=true)`;
};

const runAsUser: Check = (pod) => {
  const isRight = ({ runAsUser: user }: Loose) => (user === undefined ? undefined : user !== 0);
  const { ofPod, explicit } = unset(pod, isRight);
  const wrong = [...(ofPod === false ? ["pod"] : []), ...(explicit.length > 0 ? [naming(explicit)] : [])];
  return wrong.length === 0 ? undefined : `runAsUser=0 (${wrong.join(" and ")} must not set runAsUser=0)`;
};

const profileOf = ({ seccompProfile }: Loose): string | undefined => {
  const { type } = object(seccompProfile);
  return typeof type === "string" ? type : undefined;
};

const seccomp =
  (isStrict: boolean): Check =>
  (pod) => {
    const isRight = (context: Loose) => {
      const type = profileOf(context);
      return type === undefined ? undefined : type !== "Unconfined";
    };
    const { ofPod, explicit, open } = unset(pod, isRight);
    const wrong = [...(ofPod === false ? ["pod"] : []), ...(explicit.length > 0 ? [naming(explicit)] : [])];
    if (wrong.length > 0)
      return `seccompProfile (${wrong.join(" and ")} must not set securityContext.seccompProfile.type to "Unconfined")`;
    return !isStrict || open.length === 0
      ? undefined
      : `seccompProfile (pod or ${naming(open)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
  };

const privileged = each(
  "privileged",
  (context) => context["privileged"] === true,
  "must not set securityContext.privileged=true",
);
const hostPorts: Check = (pod) => {
  const used = (one: Container) =>
    (one.ports ?? []).flatMap(({ hostPort = 0 }) => (hostPort > 0 ? [hostPort] : []));
  const bad = containersOf(pod).filter((one) => used(one).length > 0);
  if (bad.length === 0) return undefined;
  const ports = [...new Set(bad.flatMap(used))].sort((a, b) => a - b);
  return `hostPort (${naming(bad)} use${bad.length === 1 ? "s" : ""} hostPort${ports.length === 1 ? "" : "s"} ${ports.join(", ")})`;
};

/** By the ids of their checks, which is the order of the message. */
const baseline: Readonly<Record<string, Check>> = {
  capabilities: (pod) => {
    const extra = (context: Loose) => added(context).filter((one) => !usualCapabilities.has(one));
    const bad = containersOf(pod).filter((one) => extra(object(one.securityContext)).length > 0);
    const names = [...new Set(bad.flatMap((one) => extra(object(one.securityContext))))].sort();
    return bad.length === 0
      ? undefined
      : `non-default capabilities (${naming(bad)} must not include ${names.map((one) => JSON.stringify(one)).join(", ")} in securityContext.capabilities.add)`;
  },
  hostNamespaces,
  hostPorts,
  privileged,
  seccompProfile: seccomp(false),
  volumes: volumesBut(
    "hostPath volumes",
    (type) => type === "hostPath",
    (names, _, one) => `volume${one ? "" : "s"} ${names}`,
  ),
};

const restricted: Readonly<Record<string, Check>> = {
  ...baseline,
  allowPrivilegeEscalation: each(
    "allowPrivilegeEscalation != false",
    (context) => context["allowPrivilegeEscalation"] !== false,
    "must set securityContext.allowPrivilegeEscalation=false",
  ),
  capabilities: (pod) => {
    const isOpen = ({ securityContext }: Container) => !dropped(object(securityContext)).includes("ALL");
    const extra = ({ securityContext }: Container) =>
      added(object(securityContext)).filter((one) => one !== "NET_BIND_SERVICE");
    const [open, adding] = [
      containersOf(pod).filter(isOpen),
      containersOf(pod).filter((one) => extra(one).length > 0),
    ];
    const names = [...new Set(adding.flatMap(extra))].sort().map((one) => JSON.stringify(one));
    const said = [
      ...(open.length > 0 ? [`${naming(open)} must set securityContext.capabilities.drop=["ALL"]`] : []),
      ...(adding.length > 0
        ? [`${naming(adding)} must not include ${names.join(", ")} in securityContext.capabilities.add`]
        : []),
    ];
    return said.length === 0 ? undefined : `unrestricted capabilities (${said.join("; ")})`;
  },
  runAsNonRoot,
  runAsUser,
  seccompProfile: seccomp(true),
  volumes: volumesBut(
    "restricted volume types",
    (type) => !volumeTypes.has(type),
    (names, types, one) =>
      `volume${one ? "" : "s"} ${names} use${one ? "s" : ""} restricted volume type${types.includes(",") ? "s" : ""} ${types}`,
  ),
};

const order = [
  ...["allowPrivilegeEscalation", "capabilities", "hostNamespaces", "hostPorts", "privileged", "volumes"],
  ...["runAsNonRoot", "runAsUser", "seccompProfile"],
];

/**
 * Why a pod is none of a level, in the words of the admission plug-in PodSecurity; empty: it is one. Of the checks those of AppArmor,
 * SELinux, `procMount`, sysctls and Windows are left out, and each version's are the latest ones.
 */
export function podSecurityViolations(level: PodSecurityLevel, pod: SecuredPod): readonly string[] {
  if (level === "privileged") return [];
  const checks = level === "baseline" ? baseline : restricted;
  return order.flatMap((id) => checks[id]?.(pod) ?? []);
}

const label = "pod-security.kubernetes.io/enforce";
const levels: readonly string[] = ["privileged", "baseline", "restricted"];

/** What a namespace's labels ask of its pods, and in which version, as messages have it: `restricted:latest`. */
export function enforcedPodSecurity(labels: Readonly<Record<string, string>> = {}): {
  readonly level: PodSecurityLevel;
  readonly name: string;
} {
  const given = labels[label] ?? "privileged";
  // A level that is none is refused when it is written; where there is one, the strictest holds.
  const level = (levels.includes(given) ? given : "restricted") as PodSecurityLevel;
  return { level, name: `${level}:${labels[`${label}-version`] ?? "latest"}` };
}
