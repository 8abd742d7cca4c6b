import { expect, test } from "vitest";
import { assertRequest, parseSequence, readRequest } from "./read-request.ts";

test("a MicroRemed sequence is read line by line, with or without a newline at its end", () => {
  expect(parseSequence("cpu-stress\r\ndisk-io\n\n pod-fail")).toEqual(["cpu-stress", "disk-io", "pod-fail"]);
});

test("every wrong field of a request is named", () => {
  const request = { environment: 7, model: "a b", seed: -1, colour: "red" };
  expect(() => assertRequest(request, "request.yaml")).toThrow(
    /environment.*\n.*model.*\n.*seed.*\n.*colour/s,
  );
  const slips = { modle: "a", environment: "shop", failures: 3 };
  expect(() => assertRequest(slips, "request.yaml")).toThrow(
    /^request.yaml has wrong fields:\n {2}model: is missing\n {2}failures: expected a suite of faults.*\n {2}modle: there is no such field$/,
  );
});

test("a part of a request names the fields that it has, and a name how it is written", () => {
  const slips = { environment: "shop", model: "a", budgets: { token: 3 }, namespace: "Shop" };
  expect(() => assertRequest(slips, "request.yaml")).toThrow(
    /namespace: expected a name of Kubernetes: .*\n {2}budgets.token: there is no such field; known: "probeRounds", .*"tokens"/,
  );
});

test.each(["request.yaml", "matrix.yaml"])("the example %s is a request", async (name) => {
  const path = new URL(`../../../../docs/examples/${name}`, import.meta.url).pathname;
  expect(await readRequest(path)).toMatchObject({ environment: expect.any(String), seed: 1 });
});

test("an unreadable request says which file and why", async () => {
  await expect(readRequest("/nonexistent/request.yaml")).rejects.toThrow(
    "cannot read the request /nonexistent/request.yaml: there is no such file or folder (ENOENT)",
  );
});
