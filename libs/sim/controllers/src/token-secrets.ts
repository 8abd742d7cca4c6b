import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { type KubeObject, keyOf, type Loose, resources, splitKey } from "@microremed/sim-objects";

/** Makes the token of a Secret of type `kubernetes.io/service-account-token`. */
export type IssueSecretToken = (account: KubeObject, secret: KubeObject) => string;

const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";
const isTokenSecret = (object: KubeObject): boolean =>
  object["type"] === "kubernetes.io/service-account-token";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Fills Secrets for service accounts' tokens, and deletes them once their account is gone. */
export function startTokenSecretController(
  ctx: ControllerContext,
  caPem: () => string,
  issue: IssueSecretToken,
): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "token-secret", delayMs: 20 }, reconcile);

  function reconcile(key: string): void {
    const secret = store.get(resources.secrets, ...splitKey(key));
    if (!secret || !isTokenSecret(secret) || secret.metadata.deletionTimestamp !== undefined) return;
    const { namespace, name, uid, annotations = {} } = secret.metadata;
    const account = store.get(resources.serviceAccounts, namespace, annotations[accountName] ?? "");
    const wanted = annotations[accountUid];
    if (!account || (wanted !== undefined && wanted !== account.metadata.uid)) {
      store.delete(resources.secrets, namespace, name, { preconditions: { uid } });
      return;
    }
    const data: Loose = secret["data"] ?? {};
    if (data.token && data.namespace && data["ca.crt"] && wanted !== undefined) return;
    store.update(resources.secrets, {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...annotations, [accountUid]: account.metadata.uid } },
      data: {
        ...data,
        "ca.crt": base64(caPem()),
        namespace: base64(namespace ?? ""),
        token: data.token ?? base64(issue(account, secret)),
      },
    });
  }

  function queueSecretsOf({ metadata }: KubeObject): void {
    for (const secret of store.list(resources.secrets, metadata.namespace))
      if (isTokenSecret(secret) && secret.metadata.annotations?.[accountName] === metadata.name)
        queue.add(keyOf(secret));
  }

  store.watch(resources.secrets, ({ type, object }) => {
    if (type !== "DELETED" && isTokenSecret(object)) queue.add(keyOf(object));
  });
  store.watch(resources.serviceAccounts, ({ object }) => queueSecretsOf(object));
}
