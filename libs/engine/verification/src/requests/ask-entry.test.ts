import { spawnSync } from "node:child_process";
import { entryPlan } from "@microremed/catalogue";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { entryRequests, entryScript } from "./ask-entry.ts";

test("asks where the environment's load goes, by a name that other namespaces resolve", () => {
  const urls = (name: string, namespace: string) =>
    entryRequests(environments.get(name), namespace).map(({ url }) => url);
  expect(urls("online-boutique", "shop-2")).toEqual(["http://frontend.shop-2:80/"]);
  expect(urls("simple-micro", "a")).toEqual(["http://hello-service.a:5000/hello"]);
});

test("of a mix it asks for every path in turn, but for a POST without a body", () => {
  const requests = entryRequests(environments.get("hotel-reservation"), "a");
  const urls = requests.map(({ url }) => url);
  expect(urls.map((url) => new URL(url).pathname)).toEqual([
    "/hotels",
    ...["/recommendations", "/recommendations", "/recommendations"],
    "/user",
  ]);
  const asked = [...entryScript(requests).matchAll(/'(http[^']+)'/g)].map(([, url]) => url);
  expect(asked).toHaveLength(entryPlan.size);
  // One journey that fails is one too many.
  for (const url of urls)
    expect(asked.filter((one) => one === url).length).toBeGreaterThan(entryPlan.mostBad);
});

test("asks as often as the sample needs and stops when the check has failed", () => {
  const script = entryScript([{ url: "http://x/" }]);
  expect(script.match(/'http:\/\/x\/'/g)).toHaveLength(33);
  expect(script).toMatch(/\[ \$bad -gt 3 \] \|\| \{ wget .*-T 5 .*'http/);
  expect(entryPlan.missed).toBeLessThan(1e-6);
  expect(entryPlan.falseAlarm).toBeLessThan(1e-3);
});

test("a POST goes with its body, whatever is in it", () => {
  const asked = entryScript([{ url: "http://x/login", body: "name=o'hara&text=$(id)" }]).split("\n")[1];
  expect(asked).toContain(`--post-data='name=o'\\''hara&text=$(id)' 'http://x/login'`);
  const paths = entryRequests(environments.get("social-network"), "a").map(
    ({ url }) => new URL(url).pathname,
  );
  expect(paths).toContain("/wrk2-api/post/compose");
});

test("an answer with other content than the load expects is none, as a shell says", () => {
  const run = (says: string) => {
    const script = entryScript([{ url: "http://x/", expect: { content: `it's "here" *` } }]);
    // wget is what prints the answer.
    const { stdout } = spawnSync("sh", ["-c", `wget() { printf '%s' "$says"; }; ${script}`], {
      env: { ...process.env, says },
      encoding: "utf8",
    });
    return stdout.trim();
  };
  expect(run(`page: it's "here" * now`)).toBe("answered 33");
  expect(run("page: it is here")).toBe("answered 0");
});

test("under a load of a name it asks what its journeys ask", () => {
  const paths = entryRequests(environments.get("hotel-reservation"), "a", "booking");
  expect(paths.map(({ url, expect: right }) => [new URL(url).pathname, right?.content])).toEqual([
    ["/hotels", '"type":"Feature"'],
    ["/recommendations", '"type":"Feature"'],
    ["/user", "Login successfully!"],
    ...[1, 2].map(() => ["/recommendations", '"type":"Feature"']),
  ]);
});
