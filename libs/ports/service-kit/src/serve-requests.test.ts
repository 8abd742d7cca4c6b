import { requestsTo } from "@microremed/contracts";
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
  const requests = requestsTo("scheduler");
  const [first, ...others] = requests.map(({ name }) => name);
  const answer = async () => ({ clusters: [] });
  const handlers = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, answer])) as unknown as RequestHandlers<"scheduler">;
  // @ts-expect-error the compiler names the handlers that are missing
  const none: RequestHandlers<"scheduler"> = {};
  await expect(serveRequests(bus, "scheduler", none)).rejects.toThrow(`no handler for ${first}`);
  await expect(serveRequests(bus, "scheduler", handlers(others))).rejects.toThrow(`no handler for ${first}`);
  expect(served).toEqual([]);
  await using _served = await serveRequests(bus, "scheduler", handlers([first ?? "", ...others]));
  expect(served.toSorted()).toEqual(requests.map(({ subject }) => subject).toSorted());
});

test("a service does every one of its stages", () => {
  const prepare = async () => ({ status: "ok" as const, deployed: true });
  // @ts-expect-error inject and restore are missing
  const some: StageHandlers<"injector"> = { prepare };
  expect(Object.keys(some)).toEqual(["prepare"]);
});
