import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { serverIdentity } from "./server-identity.ts";

test("a server's certificate is of its name alone, signed by the authority, and the same each time", async () => {
  const made = await serverIdentity("policies.shop.svc");
  const [own, authority] = [new X509Certificate(made.certificate), new X509Certificate(made.authority)];
  expect(own.checkHost("policies.shop.svc", { subject: "never" })).toBe("policies.shop.svc");
  expect(own.checkHost("policies.mall.svc", { subject: "never" })).toBeUndefined();
  expect(own.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
  expect([authority.ca, own.ca, own.checkIssued(authority), own.verify(authority.publicKey)]).toEqual([
    ...[true, false, true, true],
  ]);
  expect(await serverIdentity("policies.shop.svc")).toEqual(made);
  expect((await serverIdentity("policies.mall.svc")).certificate).not.toBe(made.certificate);
});
