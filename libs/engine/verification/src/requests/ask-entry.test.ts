import { entryPlan } from "@microremed/catalogue";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { entryScript, entryUrls } from "./ask-entry.ts";

test("asks where the environment's load goes, by a name that other namespaces resolve", () => {
  expect(entryUrls(environments.get("online-boutique"), "shop-2")).toEqual(["http://frontend.shop-2:80/"]);
  expect(entryUrls(environments.get("simple-micro"), "a")).toEqual(["http://hello-service.a:5000/hello"]);
});

test("of a mix it asks for every path in turn, but for those that change data", () => {
  const urls = entryUrls(environments.get("hotel-reservation"), "a");
  expect(urls.map((url) => new URL(url).pathname)).toEqual([
    "/hotels",
    ...["/recommendations", "/recommendations", "/recommendations"],
    "/user",
  ]);
  const asked = [...entryScript(urls).matchAll(/'(http[^']+)'/g)].map(([, url]) => url);
  expect(asked).toHaveLength(entryPlan.size);
  // One journey that fails is one too many.
  for (const url of urls)
    expect(asked.filter((one) => one === url).length).toBeGreaterThan(entryPlan.mostBad);
});

test("asks as often as the sample needs and stops when the check has failed", () => {
  const script = entryScript(["http://x/"]);
  expect(script.match(/'http:\/\/x\/'/g)).toHaveLength(33);
  expect(script).toMatch(/-T 5 .*"\$url"/);
  expect(script).toMatch(/\$bad -gt 3 .*break/);
  expect(entryPlan.missed).toBeLessThan(1e-6);
  expect(entryPlan.falseAlarm).toBeLessThan(1e-3);
});
