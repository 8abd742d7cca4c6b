import { terminal } from "@microremed/core";
import type { Cluster, ListScope, ObjectTable, Patch } from "./cluster.types.ts";
import { isRefused } from "./cluster-errors.ts";
import { pathOf } from "./kinds.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import type { CallOptions, Transport } from "./transport.types.ts";
import { withoutNulls } from "./without-nulls.ts";

/** Agents can read it in `managedFields`, so it is a name that any cluster may have. */
const fieldManager = "deployer";
/** As kubectl's --chunk-size. */
const defaultPageSize = 500;
/** More pages than that are no list of an arena's objects. */
const maxPages = 1000;
const patchTypes: Readonly<Record<Patch["type"], string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

function kindOf(object: KubeObject): Kind {
  const { apiVersion, kind } = object;
  if (apiVersion === undefined || kind === undefined) {
    throw new TypeError(`object ${object.metadata.name} has no apiVersion or kind`);
  }
  return { apiVersion, kind };
}

export type ObjectCalls = Pick<
  Cluster,
  "get" | "list" | "table" | "apply" | "create" | "replace" | "patch" | "delete"
>;

/** Reading and writing objects over a transport. */
export function createObjectCalls(transport: Transport): ObjectCalls {
  const pathTo = (object: KubeObject): string =>
    pathOf(kindOf(object), object.metadata.namespace, object.metadata.name);
  const call = async <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
    withoutNulls(await transport.call<T>(method, path, options));
  return {
    async get<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string) {
      try {
        return await call<T>("GET", pathOf(kind, namespace, name));
      } catch (error) {
        if (isRefused(error, 404)) return undefined;
        throw error;
      }
    },
    async list<T extends KubeObject>(kind: Kind<T>, scope: ListScope) {
      try {
        return await listAll(transport, kind, scope);
      } catch (error) {
        if (isRefused(error, 404)) return [];
        throw error;
      }
    },
    async table(kind, { namespace, name, labelSelector, fieldSelector }) {
      const path = pathOf(kind, namespace, name);
      const query = { labelSelector, fieldSelector, includeObject: "Object" };
      const answer = await call<TableAnswer>("GET", path, { query, accept: tableType });
      return { columns: answer.columnDefinitions ?? [], rows: answer.rows ?? [] };
    },
    apply: (object) =>
      call("PATCH", pathTo(object), {
        query: { fieldManager, force: true },
        body: object,
        contentType: "application/apply-patch+yaml",
        repeatable: true,
      }),
    create: (object) =>
      call("POST", pathOf(kindOf(object), object.metadata.namespace), {
        query: { fieldManager },
        body: object,
      }),
    replace: (object) => call("PUT", pathTo(object), { query: { fieldManager }, body: object }),
    patch: (kind, namespace, name, { type, body, manager = fieldManager }) =>
      call("PATCH", pathOf(kind, namespace, name), {
        query: { fieldManager: manager },
        body,
        contentType: patchTypes[type],
        repeatable: type !== "json",
      }),
    async delete(kind, namespace, name, { gracePeriodSeconds, propagation = "Background", only } = {}) {
      try {
        await transport.call("DELETE", pathOf(kind, namespace, name), {
          body: {
            kind: "DeleteOptions",
            apiVersion: "v1",
            propagationPolicy: propagation,
            ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
            ...(only && { preconditions: only }),
          },
        });
        return true;
      } catch (error) {
        if (isRefused(error, 404)) return false;
        throw error;
      }
    },
  };
}

const tableType = "application/json;as=Table;v=v1;g=meta.k8s.io";

interface TableAnswer {
  readonly columnDefinitions?: ObjectTable["columns"];
  readonly rows?: ObjectTable["rows"];
}

interface Page<T> {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly T[];
}

/** Items of a list come without apiVersion and kind, except from the embedded cluster. */
function withKind<T extends KubeObject>(item: T, { apiVersion, kind }: Kind<T>): T {
  return item.apiVersion === apiVersion && item.kind === kind ? item : { ...item, apiVersion, kind };
}

/** Page after page; from the beginning, in one piece, where the cluster no longer knows the first page's moment. */
async function listAll<T extends KubeObject>(
  transport: Transport,
  kind: Kind<T>,
  { namespace, labelSelector, fieldSelector, pageSize = defaultPageSize }: ListScope,
): Promise<readonly T[]> {
  const path = pathOf(kind, namespace);
  const all: T[] = [];
  const selectors = { labelSelector, fieldSelector };
  let token: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    let page: Page<T>;
    try {
      const query = { ...selectors, limit: pageSize, continue: token };
      page = await transport.call<Page<T>>("GET", path, { query });
    } catch (error) {
      if (token === undefined || !isRefused(error, 410)) throw error;
      all.length = 0;
      page = await transport.call<Page<T>>("GET", path, { query: selectors });
    }
    for (const item of page.items ?? []) all.push(withKind(withoutNulls(item), kind));
    token = page.metadata?.continue || undefined;
    if (token === undefined) return all;
  }
  throw terminal("cluster-refused", `the list of ${path} has more than ${maxPages} pages of ${pageSize}`, {
    pageSize,
  });
}
