import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { usedOf } from "@microremed/sim-kinds";
import { keyOf, type ResourceRef, splitKey } from "@microremed/sim-objects";
import { onCustomResources } from "./custom-resources.ts";

const quotas: ResourceRef = { group: "", resource: "resourcequotas" };

/** Keeps `status.used` of every ResourceQuota. Admission counts for itself and never relies on it. */
export function startResourceQuotaController(ctx: ControllerContext): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "resourcequota", delayMs: 20 }, reconcile);

  function reconcile(key: string): void {
    const quota = store.get(quotas, ...splitKey(key));
    if (!quota || quota.metadata.deletionTimestamp !== undefined) return;
    const status = { hard: quota.spec?.hard ?? {}, used: usedOf(store, quota) };
    store.update(quotas, { ...quota, status }, { status: true });
  }

  function follow(resource: ResourceRef): void {
    store.watch(resource, ({ object }) => {
      const { namespace } = object.metadata;
      if (namespace === undefined) return;
      for (const quota of store.list(quotas, namespace)) queue.add(keyOf(quota));
    });
  }

  for (const resource of ctx.allResources) follow(resource);
  onCustomResources(store, follow);
}
