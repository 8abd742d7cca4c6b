import { expect, test } from "vitest";
import { checkRequest, parseSequence, readRequest } from "./read-request.ts";

test("a MicroRemed sequence is read line by line, with or without a newline at its end", () => {
  expect(parseSequence("cpu-stress\r\ndisk-io\n\n pod-fail")).toEqual(["cpu-stress", "disk-io", "pod-fail"]);
});

test("every wrong field of a request is named", () => {
  const request = { environment: 7, model: "a b", seed: -1, colour: "red" };
  expect(() => checkRequest(request, "request.yaml")).toThrow(
    /environment.*\n.*model.*\n.*seed.*\n.*colour/s,
  );
});

test.each(["request.yaml", "matrix.yaml"])("the example %s is a request", async (name) => {
  const path = new URL(`../../../../docs/examples/${name}`, import.meta.url).pathname;
  expect(await readRequest(path)).toMatchObject({ environment: expect.any(String), seed: 1 });
});

test("an unreadable request says which file and why", async () => {
  await expect(readRequest("/nonexistent/request.yaml")).rejects.toThrow(
    "cannot read the request /nonexistent/request.yaml: ENOENT",
  );
});
