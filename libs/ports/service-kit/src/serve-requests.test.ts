import { expect, test } from "vitest";
import { type RequestHandlers, serveRequests } from "./serve-requests.ts";
import type { StageHandlers } from "./serve-stages.ts";

const served: string[] = [];
const bus = {
  serve: async (subject: string) => {
    served.push(subject);
    return { [Symbol.asyncDispose]: async () => void served.pop() };
  },
};

test("whatever is addressed to a service is answered, and a handler that is missing is named", async () => {
  const clusters = async () => ({ clusters: [] });
  // @ts-expect-error the compiler names the handlers that are missing
  const some: RequestHandlers<"scheduler"> = { ClustersQuery: clusters };
  await expect(serveRequests(bus, "scheduler", some)).rejects.toThrow("no handler answers ClusterRelease");
  expect(served).toEqual([]);
  const all = {
    ClustersQuery: clusters,
    ClusterRelease: async () => ({ released: false }),
    ConversationQuery: async () => ({ conversation: [] }),
    ExperimentQuery: () => Promise.reject(new Error("not here")),
  };
  await using _served = await serveRequests(bus, "scheduler", all);
  expect(served.toSorted()).toEqual([
    "microremed.rpc.clusters",
    "microremed.rpc.conversations",
    "microremed.rpc.experiments",
    "microremed.rpc.release",
  ]);
});

test("a service does every one of its stages", () => {
  const prepare = async () => ({ status: "ok" as const, deployed: true });
  // @ts-expect-error inject and restore are missing
  const some: StageHandlers<"injector"> = { prepare };
  expect(Object.keys(some)).toEqual(["prepare"]);
});
