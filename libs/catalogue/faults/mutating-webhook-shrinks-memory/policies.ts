import {
  deploymentWithPods,
  isRolledOut,
  type KubeObject,
  kinds,
  namespaceOf,
  oneReplica,
  serverIdentity,
  targetName,
  targetOf,
  withoutResource,
} from "@microremed/catalogue";
import type { Context, Where } from "./parameters.ts";

const port = 8443;
const folders = { policies: "/policies", tls: "/tls" } as const;

/** The other policy of the server, for which the fault changes nothing. */
export const buildPolicy = "build-limits";
const buildMemory = "768Mi";

/** The name by which the API server asks the program. */
const hostOf = (where: Where): string => `${where.parameters.server}.${namespaceOf(where)}.svc`;

/** The authority by which the API server knows the program, as a webhook's configuration has it. */
export async function authorityOf(where: Where): Promise<string> {
  return Buffer.from((await serverIdentity(hostOf(where))).authority).toString("base64");
}

/** Gives containers without a limit this one, and refuses those with a higher one. No more CPU than any node has is a bound that it must have. */
const limitsTo = (memory: string): string[] => [
  "  module: registry://ghcr.io/kubewarden/policies/container-resources:v1.1.0",
  "  allowedToMutate: true",
  "  settings:",
  `    memory: { defaultLimit: ${memory}, maxLimit: ${memory} }`,
  '    cpu: { maxLimit: "64" }',
];

/** The file with the server's policies. */
export const policiesWith = ({ policy }: Where["parameters"], memory: string): string =>
  [`${policy}:`, ...limitsTo(memory), `${buildPolicy}:`, ...limitsTo(buildMemory), ""].join("\n");

/** The key of the ConfigMap with it. */
export const policiesKey = "policies.yml";

function program(server: string): KubeObject {
  const mounts = Object.entries(folders).map(([name, mountPath]) => ({ name, mountPath, readOnly: true }));
  return oneReplica(server, {
    containers: [
      {
        name: server,
        image: "ghcr.io/kubewarden/policy-server:v1.15.0",
        args: [
          ...["--port", String(port)],
          ...["--policies", `${folders.policies}/${policiesKey}`],
          ...["--policies-download-dir", "/tmp"],
          ...["--cert-file", `${folders.tls}/tls.crt`],
          ...["--key-file", `${folders.tls}/tls.key`],
          "--ignore-kubernetes-connection-failure",
        ],
        ports: [{ name: "https", containerPort: port }],
        readinessProbe: { tcpSocket: { port }, periodSeconds: 5 },
        resources: {
          requests: { cpu: "10m", memory: "64Mi" },
          limits: { cpu: "500m", memory: "256Mi" },
        },
        volumeMounts: [...mounts, { name: "tmp", mountPath: "/tmp" }],
      },
    ],
    volumes: [
      { name: "policies", configMap: { name: server } },
      { name: "tls", secret: { secretName: `${server}-tls` } },
      { name: "tmp", emptyDir: {} },
    ],
  });
}

/** A program that answers webhooks by two policies, and the target's Deployment without memory of its own: a policy may give it some. */
export async function policyObjects(where: Where): Promise<readonly KubeObject[]> {
  const { server, memory } = where.parameters;
  const { certificate, key } = await serverIdentity(hostOf(where));
  const metadata = { name: server, labels: { app: server } };
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return [
    {
      ...kinds.secret,
      metadata: { name: `${server}-tls`, labels: { app: server } },
      type: "kubernetes.io/tls",
      data: { "tls.crt": base64(certificate), "tls.key": base64(key) },
    },
    { ...kinds.configMap, metadata, data: { [policiesKey]: policiesWith(where.parameters, memory) } },
    {
      ...kinds.service,
      metadata,
      spec: { selector: { app: server }, ports: [{ name: "https", port: 443, targetPort: port }] },
    },
    program(server),
    deploymentWithPods(where, ({ containers: [first, ...others] }) => ({
      containers: [withoutMemory(first), ...others.map(withoutMemory)],
    })),
  ];
}

type DeclaredContainer = Parameters<Parameters<typeof deploymentWithPods>[1]>[0]["containers"][number];

const withoutMemory = ({ resources, ...container }: DeclaredContainer): DeclaredContainer => ({
  ...container,
  resources: withoutResource(resources, "memory"),
});

/** Whether program and target run as the setting has them. */
export async function isInPlace(context: Context): Promise<boolean> {
  const { server } = context.parameters;
  return (await isRolledOut(context, server)) && (await isRolledOut(context, targetName(context)));
}

/** The labels by which the target's pods are selected. */
export const targetLabels = ({ environment, target }: Where): Readonly<Record<string, string>> =>
  targetOf(environment, target)?.workload.selector ?? {};
