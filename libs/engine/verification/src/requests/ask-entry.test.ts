import { entryPlan } from "@microremed/catalogue";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { entryScript, entryUrl } from "./ask-entry.ts";

test("asks where the environment's load goes, by a name that other namespaces resolve", () => {
  expect(entryUrl(environments.get("online-boutique"), "shop-2")).toBe("http://frontend.shop-2:80/");
  expect(entryUrl(environments.get("simple-micro"), "a")).toBe("http://hello-service.a:5000/hello");
});

test("asks as often as the sample needs and stops when the check has failed", () => {
  const script = entryScript("http://x/");
  expect(script).toMatch(/seq 1 33/);
  expect(script).toMatch(/-T 5 .*'http:\/\/x\/'/);
  expect(script).toMatch(/\$bad -gt 3 .*break/);
  expect(entryPlan.missed).toBeLessThan(1e-6);
  expect(entryPlan.falseAlarm).toBeLessThan(1e-3);
});
