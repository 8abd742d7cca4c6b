import { spawnSync } from "node:child_process";
import { type Expected, entryPlan } from "@microremed/catalogue";
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

/** As wget of busybox 1.35 shows an answer with -S. */
const shown = (status: string, content: string) =>
  `  HTTP/1.1 ${status}\n  X-Note: it's "here" * in the head\n  \n${content}`;

test.each([
  ["content", { content: `it's "here" *` }, shown("200 OK", `page: it's "here" * now`), 0, true],
  ["other content", { content: `it's "here" *` }, shown("200 OK", "page: it is here"), 0, false],
  ["a status", { status: [202, 201] }, shown("201 Created", "x"), 0, true],
  ["another status", { status: [201] }, shown("200 OK", "201"), 0, false],
  ["both", { status: [201], content: "made" }, shown("201 Created", "made it"), 0, true],
  ["content of another status", { status: [201], content: "made" }, shown("200 OK", "made it"), 0, false],
  ["an answer that breaks off", { status: [200] }, shown("200 OK", "ma"), 1, false],
  ["a redirection to nowhere", { status: [302] }, "  HTTP/1.1 302 Found\n  HTTP/1.1 404 Not Found", 1, true],
  ["a redirection", { content: "made" }, `  HTTP/1.1 302 Found\n${shown("200 OK", "made")}`, 0, false],
] as const)("of what a load expects a shell sees %s", (_, right, says, code, isRight) => {
  const script = entryScript([{ url: "http://x/", expect: structuredClone(right) as Expected }]);
  // The function is what prints the answer.
  const wget = `wget() { printf '%s' "$says"; return ${code}; }`;
  const { stdout } = spawnSync("sh", ["-c", `${wget}; ${script}`], {
    env: { ...process.env, says },
    encoding: "utf8",
  });
  expect(stdout.trim()).toBe(`answered ${isRight ? 33 : 0}`);
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
