import { type KubeObject, kinds } from "@microremed/cluster";

/** Lines with which a script that asks the API server begins; `$namespace` is that of its pod. */
export const apiStart: readonly string[] = [
  "own=/var/run/secrets/kubernetes.io/serviceaccount",
  "api=https://kubernetes.default.svc",
  "namespace=$(cat $own/namespace)",
];

/** A call of curl to the API server, in a script that began with `apiStart`: as the account of the script's pod. */
export const askApi = (method: string, ...more: readonly string[]): string =>
  [`curl -s --cacert $own/ca.crt -H "Authorization: Bearer $(cat $own/token)" -X ${method}`, ...more].join(
    " ",
  );

/** A small container of an image with curl and jq that runs a shell script. */
export const apiContainer = (name: string, script: readonly string[]): object => ({
  name,
  image: "nicolaka/netshoot:v0.13",
  command: ["sh", "-c", [...apiStart, ...script].join("\n")],
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "100m", memory: "64Mi" } },
});

/** What an account may do: a rule for one group of resources. */
export interface ApiRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role with one rule. */
export const roleOf = (name: string, rule: ApiRule): KubeObject => ({
  ...kinds.role,
  metadata: { name, labels: { app: name } },
  rules: [rule],
});

/** An account for programs that ask the API server, with its Role and what gives it that. All have one name. */
export function accountObjects(name: string, namespace: string, rule: ApiRule): KubeObject[] {
  const metadata = { name, labels: { app: name } };
  return [
    { ...kinds.serviceAccount, metadata },
    roleOf(name, rule),
    {
      ...kinds.roleBinding,
      metadata,
      subjects: [{ kind: "ServiceAccount", name, namespace }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    },
  ];
}
