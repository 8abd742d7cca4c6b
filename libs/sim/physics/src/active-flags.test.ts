import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, type Testbed } from "./testing/testbed.ts";

const shop = environments.get("astronomy-shop");
const declared = Object.values(shop.configMaps["flagd-config"] ?? {})[0] ?? "";

/** The shop after a minute in which one flag had a variant. */
function aShop(flag: string, variant: string): Testbed {
  const testbed = createTestbed(shop);
  setFlag(testbed, flag, variant);
  testbed.run(60);
  return testbed;
}

function setFlag({ pod }: Testbed, flag: string, variant: string): void {
  const file = JSON.parse(declared);
  file.flags[flag].defaultVariant = variant;
  const files = pod("flagd").volumes.get("config-rw");
  files?.set("/demo.flagd.json", new Uint8Array(Buffer.from(JSON.stringify(file))));
}

const edge = ({ physics }: Testbed, from: string, to: string) =>
  physics.edges("arena").find((one) => one.from === from && one.to === to);
const service = ({ physics }: Testbed, workload: string) =>
  physics.services("arena").find((one) => one.workload === workload);

test("a flag fails the share of requests that its variant says, and its program's callers with them", () => {
  using testbed = aShop("paymentFailure", "50%");
  expect(service(testbed, "payment")?.successRatio).toBeCloseTo(0.5, 2);
  expect(edge(testbed, "checkout", "payment")).toMatchObject({
    successRatio: expect.closeTo(0.5, 2),
    refusal: { message: expect.stringContaining("payment failed") },
  });
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(0.5, 2);
  setFlag(testbed, "paymentFailure", "off");
  testbed.run(10);
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(1, 2);
});

test("without flagd every flag has the value that the program has for it", () => {
  using testbed = aShop("paymentFailure", "100%");
  expect(service(testbed, "payment")?.successRatio).toBe(0);
  testbed.machine.sandboxes.delete(testbed.pod("flagd").uid);
  testbed.run(10);
  expect(service(testbed, "payment")?.successRatio).toBe(1);
});
