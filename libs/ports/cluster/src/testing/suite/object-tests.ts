import { kinds } from "../../kinds.ts";
import type { ClusterSuite } from "../test-cluster.ts";
import { aConfigMap, aWorkload, makeNamespace, namespace } from "./fixtures.ts";

const refused = (status: number) => ({ code: "cluster-refused", severity: "terminal", details: { status } });

/** Reading and writing objects. */
export function objectTests({ test, create }: ClusterSuite): void {
  test("creates, reads, replaces and deletes an object", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const made = await cluster.create(aConfigMap("a", { colour: "red" }));
    expect(await cluster.get(kinds.configMap, namespace, "a")).toMatchObject({
      data: { colour: "red" },
      metadata: { uid: made.metadata.uid },
    });
    await cluster.replace({ ...made, data: { colour: "green" } });
    expect(await cluster.get(kinds.configMap, namespace, "a")).toMatchObject({ data: { colour: "green" } });
    await expect(cluster.replace({ ...made, data: { colour: "blue" } })).rejects.toMatchObject(refused(409));
    expect(await cluster.delete(kinds.configMap, namespace, "a")).toBe(true);
    expect(await cluster.delete(kinds.configMap, namespace, "a")).toBe(false);
    expect(await cluster.get(kinds.configMap, namespace, "a")).toBeUndefined();
  });

  test("refuses what is there already, what is wrong, and what has no place", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    await cluster.create(aConfigMap("a"));
    await expect(cluster.create(aConfigMap("a"))).rejects.toMatchObject(refused(409));
    await expect(cluster.create(aConfigMap("NOT A NAME"))).rejects.toMatchObject(refused(422));
    const elsewhere = { ...aConfigMap("a"), metadata: { name: "a", namespace: "nowhere" } };
    await expect(cluster.create(elsewhere)).rejects.toMatchObject(refused(404));
    await expect(
      cluster.patch(kinds.configMap, namespace, "nobody", { type: "merge", body: {} }),
    ).rejects.toMatchObject(refused(404));
  });

  test("fields that are null are absent, such as the endpoints of a Service without pods", async ({
    expect,
  }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const spec = { selector: { app: "none" }, ports: [{ port: 80 }] };
    await cluster.create({ apiVersion: "v1", kind: "Service", metadata: { name: "empty", namespace }, spec });
    const watched = await cluster.waitUntil(
      {
        what: "the slice of a Service",
        timeoutMs: 60_000,
        namespace,
        kinds: [kinds.endpointSlice],
      },
      (view) => view.list(kinds.endpointSlice)[0],
    );
    const [listed] = await cluster.list(kinds.endpointSlice, { namespace });
    for (const slice of [watched, listed]) {
      expect(slice).toMatchObject({ addressType: "IPv4" });
      expect(slice).not.toHaveProperty("endpoints");
      expect(slice).not.toHaveProperty("ports");
    }
  });

  test("a refusal has the API server's words", async ({ expect }) => {
    await using under = await create();
    await makeNamespace(under.cluster);
    await under.cluster.create(aConfigMap("a"));
    await expect(under.cluster.create(aConfigMap("a"))).rejects.toThrow(/configmaps "a" already exists/);
  });

  test("patches in every way", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    await cluster.create(aWorkload("web", 0));
    const patch = (type: "merge" | "strategic" | "json", body: unknown) =>
      cluster.patch(kinds.deployment, namespace, "web", { type, body });
    expect(await patch("merge", { metadata: { labels: { a: "1", b: "2" } } })).toMatchObject({
      metadata: { labels: { a: "1", b: "2" } },
    });
    await patch("merge", { metadata: { labels: { a: null } } });
    const env = [{ name: "X", value: "1" }];
    await patch("strategic", { spec: { template: { spec: { containers: [{ name: "main", env }] } } } });
    await patch("json", [{ op: "add", path: "/metadata/labels/c", value: "3" }]);
    const now = await cluster.get(kinds.deployment, namespace, "web");
    expect(now?.metadata.labels).toEqual({ b: "2", c: "3" });
    expect(now?.spec?.template?.spec?.containers).toMatchObject([
      { name: "main", image: "busybox:1.36", env },
    ]);
    await expect(
      patch("json", [{ op: "test", path: "/metadata/labels/c", value: "4" }]),
    ).rejects.toMatchObject({
      code: "cluster-refused",
    });
  });

  test("server-side apply owns the fields that it gives, and gives up those that it no longer does", async ({
    expect,
  }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    await cluster.apply(aConfigMap("a", { mine: "1", ours: "1" }));
    await cluster.patch(kinds.configMap, namespace, "a", { type: "merge", body: { data: { theirs: "1" } } });
    const applied = await cluster.apply(aConfigMap("a", { ours: "2" }));
    expect(applied["data"]).toEqual({ ours: "2", theirs: "1" });
  });

  test("lists by label, by field, in one namespace and in all, page by page", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    for (const name of [namespace, "other"]) await makeNamespace(cluster, name);
    for (const n of [1, 2, 3, 4, 5])
      await cluster.create(aConfigMap(`c${n}`, {}, { set: n % 2 ? "odd" : "even" }));
    await cluster.create({
      ...aConfigMap("c9"),
      metadata: { name: "c9", namespace: "other", labels: { set: "odd" } },
    });
    const names = async (scope: Parameters<typeof cluster.list>[1]) =>
      (await cluster.list(kinds.configMap, scope)).map(({ metadata }) => metadata.name);
    const odd = { labelSelector: "set=odd" };
    expect(await names({ namespace, ...odd })).toEqual(["c1", "c3", "c5"]);
    expect((await names(odd)).sort()).toEqual(["c1", "c3", "c5", "c9"]);
    expect(await names({ namespace, labelSelector: "set", pageSize: 2 })).toEqual([
      "c1",
      "c2",
      "c3",
      "c4",
      "c5",
    ]);
    expect(await names({ namespace, fieldSelector: "metadata.name=c2" })).toEqual(["c2"]);
    const [first] = await cluster.list(kinds.configMap, { namespace, ...odd });
    expect(first).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    expect(await cluster.list({ apiVersion: "nobody.io/v1", kind: "Thing" }, {})).toEqual([]);
  });

  test("deletes only what it was asked to", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const { metadata } = await cluster.create(aConfigMap("a"));
    const remove = (only: { uid?: string | undefined; resourceVersion?: string | undefined }) =>
      cluster.delete(kinds.configMap, namespace, "a", { only });
    await expect(remove({ uid: "00000000-0000-0000-0000-000000000000" })).rejects.toMatchObject(refused(409));
    await expect(remove({ uid: metadata.uid, resourceVersion: "1" })).rejects.toMatchObject(refused(409));
    expect(await remove({ uid: metadata.uid, resourceVersion: metadata.resourceVersion })).toBe(true);
  });

  test("an orphan stays when its owner goes, a dependent goes with it", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    for (const name of ["kept", "gone"]) await cluster.create(aWorkload(name, 0));
    const sets = { what: "the replica sets", timeoutMs: 60_000, namespace, kinds: [kinds.replicaSet] };
    const count = (wanted: number) =>
      cluster.waitUntil(sets, (view) => {
        const found = view.list(kinds.replicaSet);
        return found.length === wanted ? found : undefined;
      });
    await count(2);
    await cluster.delete(kinds.deployment, namespace, "kept", { propagation: "Orphan" });
    await cluster.delete(kinds.deployment, namespace, "gone");
    const [left] = await count(1);
    expect(left?.metadata.name).toMatch(/^kept-/);
  });
}
