import { expect, test } from "vitest";
import { reviewReading } from "./reading-requests.ts";

const pod = "/api/v1/namespaces/shop/pods/cart-0";

function review(method: string, address: string, upgrades = false) {
  const [path = "", query = ""] = address.split("?");
  return reviewReading({ method, path, query: new URLSearchParams(query), upgrades });
}

test.each([
  ["GET", "/api/v1/namespaces/shop/pods?watch=1"],
  ["GET", `${pod}/log?follow=true`],
  ["HEAD", "/api"],
  ["GET", "/openapi/v3"],
  ["GET", "/apis/apps/v1/namespaces/shop/deployments/proxy"],
  ["POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"],
  ["POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"],
  ["POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews"],
])("a request that reads is sent: %s %s", async (method, address) => {
  expect(await review(method, address)).toBeUndefined();
});

test.each([
  ["GET", `${pod}/exec?command=ls&command=-l&container=server&stdout=true`],
  ["POST", `${pod}/exec?command=sh&command=-c&command=cat+/etc/hosts+|+wc&stdin=false&tty=false`],
])("a program that reads is started: %s %s", async (method, address) => {
  expect(await review(method, address, true)).toBeUndefined();
});

test.each([
  ["POST", "/api/v1/namespaces/shop/pods"],
  ["PUT", pod],
  ["PATCH", pod],
  ["DELETE", pod],
  ["POST", "/api/v1/namespaces/operators/serviceaccounts/probe-shop/token"],
  ["POST", `${pod}/eviction`],
  ["POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews"],
  ["GET", `${pod}/proxy/admin/reset`],
  ["GET", `${pod}:80/proxy/`],
  ["GET", "/api/v1/namespaces/shop/services/cart:80/proxy"],
  ["GET", "/api/v1/nodes/n/proxy/run/shop/cart-0/server"],
  ["GET", `${pod}/exec?command=ls`],
  ["POST", `${pod}/exec?command=ls`],
  ["CONNECT", "/"],
])("any other is not: %s %s", async (method, address) => {
  expect(await review(method, address)).toMatch(/^Probes only read/);
});

test.each([
  ["GET", `${pod}/exec?command=kill&command=1`],
  ["GET", `${pod}/exec?command=ls&command2=x`],
  ["GET", `${pod}/exec`],
  ["POST", `${pod}/exec?command=sh`],
  ["POST", `${pod}/exec?command=cat&stdin=true`],
  ["POST", `${pod}/exec?command=top&stdin=false&tty=1`],
  ["GET", `${pod}/exec?command=top&stdin=false&stdin=t`],
  ["POST", `${pod}/exec?command=sh&command=-sc&command=true`],
  ["POST", `${pod}/exec?command=env&command=PATH=/tmp&command=cat`],
  ["POST", `${pod}/exec?command=bash&command=-c&command=rm+/x`],
  ["DELETE", `${pod}/exec?command=ls`],
  ["POST", `${pod}/attach?stdin=true`],
  ["POST", `${pod}/portforward`],
  ["GET", "/api/v1/namespaces/shop/pods"],
  ["GET", "/api/v1/namespaces/shop/pods/a/b/exec?command=ls"],
])("no other stream is opened: %s %s", async (method, address) => {
  expect(await review(method, address, true)).toBeTypeOf("string");
});
