import type { Container, PodSpec } from "../pods/pod.types.ts";

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

/**
 * Which rules of Pod Security's level `restricted` (which holds `baseline`) a pod breaks, by the names that the
 * standard gives them; empty: none.
 */
export function restrictedViolations(spec: PodSpec): string[] {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const broken = new Set<string>();
  const note = (rule: string, isBroken: boolean): void => void (isBroken && broken.add(rule));
  note("hostNamespaces", Boolean(spec.hostNetwork || spec.hostPID || spec.hostIPC));
  for (const { name: _name, ...source } of spec.volumes ?? [])
    note("restrictedVolumes", !Object.keys(source).every((type) => volumeTypes.has(type)));
  for (const container of containers) {
    const own = container.securityContext ?? {};
    const pod = spec.securityContext ?? {};
    const seccomp = (own.seccompProfile ?? pod.seccompProfile)?.type;
    note("privileged", own.privileged === true);
    note(
      "hostPorts",
      (container.ports ?? []).some(({ hostPort }) => (hostPort ?? 0) !== 0),
    );
    note("procMount", (own.procMount ?? "Default") !== "Default");
    note("seccompProfile", seccomp !== "RuntimeDefault" && seccomp !== "Localhost");
    note("allowPrivilegeEscalation", own.allowPrivilegeEscalation !== false);
    note("runAsNonRoot", (own.runAsNonRoot ?? pod.runAsNonRoot) !== true);
    note("runAsUser", (own.runAsUser ?? pod.runAsUser) === 0);
    note("capabilities", breaksCapabilities(container));
  }
  return [...broken];
}

function breaksCapabilities({ securityContext }: Container): boolean {
  const { add = [], drop = [] } = securityContext?.capabilities ?? {};
  return !drop.includes("ALL") || add.some((name) => name !== "NET_BIND_SERVICE");
}
