import { expect, test } from "vitest";
import { LoadSpec } from "./load-format.ts";
import { loadRequests } from "./load-requests.ts";

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
