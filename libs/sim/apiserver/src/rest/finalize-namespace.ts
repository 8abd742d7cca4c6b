import type { KubeObject } from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";
import { readObject } from "./incoming.ts";
import { requireObject } from "./read.ts";
import { reply } from "./update.ts";

const namespaces = { group: "", resource: "namespaces" };

/** PUT /finalize: takes over `spec.finalizers` alone; the last one to go lets the namespace vanish. */
export async function finalizeNamespace(context: ApiContext, call: Call): Promise<Reply> {
  const sent = readObject(call.type, await call.body());
  const old = requireObject(context, call);
  const next: KubeObject = { ...old, spec: { ...old.spec, finalizers: sent.spec?.finalizers ?? [] } };
  return reply(context, call, context.store.update(namespaces, next));
}
