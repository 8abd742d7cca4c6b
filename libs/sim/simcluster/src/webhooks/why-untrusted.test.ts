import { expect, test } from "vitest";
import { policyCertificates } from "../testing/policy-certificates.ts";
import { whyUntrusted } from "./why-untrusted.ts";

const { certificate, authority } = policyCertificates;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const asked = {
  certificate,
  host: "policies.shop.svc",
  caBundle: base64(authority),
  now: Date.parse("2026-03-01T08:00:00Z"),
};
const failed = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;

test.each([
  ["it is signed by an authority of the bundle", {}, undefined],
  ["the bundle has others too", { caBundle: base64(`${certificate}${authority}`) }, undefined],
  ["the bundle has the certificate itself", { caBundle: base64(certificate) }, undefined],
  ["there is no bundle", { caBundle: undefined }, failed("certificate signed by unknown authority")],
  ["the bundle is no PEM", { caBundle: base64("x") }, failed("certificate signed by unknown authority")],
  [
    "it is of another name",
    { host: "policies.mall.svc" },
    failed("certificate is valid for policies.shop.svc, not policies.mall.svc"),
  ],
  [
    "it is of no name",
    { certificate: authority },
    failed("certificate relies on legacy Common Name field, use SANs instead"),
  ],
  [
    "its time is over",
    { now: Date.parse("2056-01-01T00:00:00Z") },
    failed(
      "certificate has expired or is not yet valid: current time 2056-01-01T00:00:00Z is after 2055-06-01T00:00:00Z",
    ),
  ],
  [
    "its time has not come",
    { now: Date.parse("2025-01-01T00:00:00Z") },
    failed(
      "certificate has expired or is not yet valid: current time 2025-01-01T00:00:00Z is before 2025-06-01T00:00:00Z",
    ),
  ],
])("whether a server is trusted: %s", (_, fields, why) => {
  expect(whyUntrusted({ ...asked, ...fields })).toBe(why);
});
