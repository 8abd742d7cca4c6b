import { createServed, type Served, type User } from "@microremed/sim-kinds";
import type { ApiContext } from "../context/context.ts";

const made = new WeakMap<Served, Map<string, Served>>();

/**
 * What discovery and OpenAPI show a user: all that is built in, and of what was installed on the cluster the groups of which
 * the user has any right to anything. Kubernetes shows everything to every user; here an agent from which a fault is
 * concealed would see in `kubectl api-resources` by which tool faults are injected.
 */
export function servedTo({ catalog, authorizer }: ApiContext, user: User | undefined): Served {
  const all = catalog.served();
  const installed = new Set(all.types.filter(isInstalled).map(({ group }) => group));
  const hidden = [...installed].filter((group) => !user || !authorizer.mayUse(user, group));
  if (hidden.length === 0) return all;
  const variants = made.get(all) ?? new Map<string, Served>();
  made.set(all, variants);
  const key = hidden.sort().join();
  const shown = variants.get(key) ?? createServed(all.types.filter((type) => !hidden.includes(type.group)));
  variants.set(key, shown);
  return shown;
}

const isInstalled = ({ installed, custom }: Served["types"][number]): boolean =>
  installed !== undefined || custom !== undefined;
