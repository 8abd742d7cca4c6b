import { expect, test } from "vitest";
import type { Environment } from "./environment.types.ts";
import { CallSpec } from "./format.ts";
import { LoadSpec } from "./load-format.ts";
import { loadRequests, namedLoad, pathsOfCall } from "./load-requests.ts";

const load = (fields: object) => LoadSpec.parse({ entry: "web:80", requestsPerSecond: 1, ...fields });

test("the shares of a mix add up to 1, and a load without a mix asks for its path", () => {
  const requests = [
    { path: "/a?x=1", share: 3 },
    { method: "POST", path: "/b", share: 1 },
  ];
  expect(loadRequests(load({ requests }))).toEqual([
    { method: "GET", path: "/a?x=1", share: 0.75 },
    { method: "POST", path: "/b", share: 0.25 },
  ]);
  expect(loadRequests(load({ path: "/a" }))).toEqual([{ method: "GET", path: "/a", share: 1 }]);
});

test("a further load asks for what the system's own asks for, unless it says for what", () => {
  const requests = [{ path: "/a", share: 1 }];
  const loads = { busy: { users: 20 }, front: { requestsPerSecond: 2, path: "/" } };
  const asked = (name?: string) =>
    loadRequests(namedLoad(load({ requests, loads }), name)).map(({ path }) => path);
  expect([asked(), asked("busy"), asked("front")]).toEqual([["/a"], ["/a"], ["/"]]);
  expect(() => asked("night")).toThrow('the environment has no load "night"; it has busy, front');
});

test.each<[Partial<CallSpec>, fromEntry: readonly string[], fromOthers: readonly string[]]>([
  [{}, ["/", "/a", "/b"], ["/"]],
  [{ onPaths: ["/a"] }, ["/a"], ["/"]],
  [{ paths: ["/c"] }, ["/c"], ["/c"]],
  [{ protocol: "grpc" }, [], []],
])(
  "the entry passes on the paths of users in a call with %o, others do not",
  (keys, fromEntry, fromOthers) => {
    const usual = { to: "b", address: "b:80", protocol: "http", perRequest: 1, timeoutSeconds: 1 };
    const call = CallSpec.parse({ ...usual, ...keys });
    const requests = ["/a?x=1", "/b"].map((path) => ({ path, share: 1 }));
    const environment = {
      load: load({ loads: { more: { users: 1, requests } } }),
      services: { web: { selector: { app: "web" } } },
      workloads: { web: { labels: { app: "web" } }, b: { labels: { app: "b" } } },
    } as unknown as Environment;
    expect(pathsOfCall(environment, "web", call)).toEqual(fromEntry);
    expect(pathsOfCall(environment, "b", call)).toEqual(fromOthers);
  },
);
