import { sandboxHome } from "../sandbox-home.ts";
import type { RunnerSettings } from "./runner-settings.ts";

/** Labels of every runner pod; the owner's name is another one. */
export const runnerLabels = { "app.kubernetes.io/name": "runner" } as const;
export const ownerLabel = "microremed.io/executor";
/** Until when its executor vouches for a pod (RFC 3339). Later, any executor may delete it. */
export const untilAnnotation = "microremed.io/until";

export const runContainer = "run";
export const gatewayContainer = "gateway";

/** What one runner pod has of its own. */
export interface RunnerPodOptions {
  readonly name: string;
  /** Names that resolve to the pod itself, where the gateway seems to be the API server. */
  readonly names: readonly string[];
  /** From its start to its end, s, whatever becomes of its executor. */
  readonly deadlineSeconds: number;
  /** Of the run's processes; the gateway's is the next one. A node counts the processes of a user, so each pod has another. */
  readonly user: number;
}

/** Where k3s keeps its kubeconfig; playbooks written for MicroRemed name it. */
const k3sFolder = "/etc/rancher/k3s";

const filesBytes = "128Mi";
const securityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
} as const;
/** It has no handlers, so that no signal from inside ends the first process of a container. */
const idle = ["sleep", "infinity"];

const inMemory = (name: string, sizeLimit: string) => ({ name, emptyDir: { medium: "Memory", sizeLimit } });

/**
 * The manifest of a runner pod: Pod Security's `restricted`, no token, no names of other machines, and nothing on a
 * disk. It waits; what it runs comes by exec. The run has a container of its own, so that it reaches the gateway's
 * process by connections alone.
 */
export function runnerPod(
  settings: RunnerSettings,
  { name, names, deadlineSeconds, user }: RunnerPodOptions,
) {
  const { namespace, image, owner, cpu, memory, runtimeClass, imagePullSecrets } = settings;
  const disk = { "ephemeral-storage": "16Mi" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { ...runnerLabels, [ownerLabel]: owner } },
    spec: {
      restartPolicy: "Never",
      activeDeadlineSeconds: deadlineSeconds,
      terminationGracePeriodSeconds: 1,
      serviceAccountName: "runner",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostname: "k3s-control-plane",
      // There is no name server: a run reaches nothing that has a name but what is in its /etc/hosts.
      dnsPolicy: "None",
      dnsConfig: { nameservers: ["127.0.0.1"] },
      ...(names.length > 0 && { hostAliases: [{ ip: "127.0.0.1", hostnames: [...names] }] }),
      ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
      tolerations: [...settings.tolerations],
      nodeSelector: settings.nodeSelector,
      imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: runContainer,
          image,
          command: idle,
          workingDir: "/",
          resources: { requests: { cpu: "50m", memory: "96Mi", ...disk }, limits: { cpu, memory, ...disk } },
          securityContext,
          volumeMounts: [
            { name: "home", mountPath: sandboxHome },
            { name: "tmp", mountPath: "/tmp" },
            { name: "k3s", mountPath: k3sFolder },
            // The harness's own programs, where the image is the executor's.
            { name: "nothing", mountPath: "/app", readOnly: true },
          ],
        },
        {
          name: gatewayContainer,
          image,
          command: idle,
          workingDir: "/",
          resources: {
            requests: { cpu: "10m", memory: "32Mi", ...disk },
            limits: { cpu: "500m", memory: "128Mi", ...disk },
          },
          securityContext: { ...securityContext, runAsUser: user + 1, runAsGroup: user + 1 },
        },
      ],
      volumes: [
        inMemory("home", filesBytes),
        inMemory("tmp", filesBytes),
        inMemory("k3s", "1Mi"),
        inMemory("nothing", "1Mi"),
      ],
    },
  };
}
