import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const run = promisify(execFile);
/** What an install fetches is bounded by npm; the rest ends long before. */
const limits = { timeout: 900_000, maxBuffer: 64 * 1024 * 1024 } as const;

const options = ["--prefer-offline", "--no-audit", "--no-fund"];

let dir: string;
let manifestBefore: string;
/** The environment of a user with only Node, npm and a shell. */
let bare: Record<string, string>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-install-"));
  manifestBefore = await readFile(join(root, "package.json"), "utf8");
  const bin = join(dir, "bin");
  await mkdir(bin);
  await symlink(await programNamed("node"), join(bin, "node"));
  for (const name of ["npm", "npx", "sh"]) await symlink(await programNamed(name), join(bin, name));
  bare = { PATH: bin, HOME: homedir() };
  // `npm` here is the one that runs these tests: what it has set for them is not for the user.
  await run(join(bin, "npm"), ["pack", "--pack-destination", dir], {
    ...limits,
    cwd: root,
    env: { ...bare, PATH: `${bin}${delimiter}${process.env["PATH"]}` },
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The machine's own, not the one that the repository brings. */
async function programNamed(name: string): Promise<string> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((one) => !one.includes("node_modules"));
  for (const folder of folders) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile()) return await realpath(file);
  }
  if (name === "node") return process.execPath;
  throw new Error(`there is no ${name} on PATH`);
}

const started = (program: string, ...args: string[]) =>
  run(join(dir, "bin", program), args, { ...limits, cwd: join(dir, "empty"), env: bare }).then(
    (end) => ({ ...end, code: 0 }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

test("one tarball, installed in an empty folder on a machine with only Node, runs whole experiments", async () => {
  const { version, engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const tarball = join(dir, `microremed-${version}.tgz`);
  expect((await stat(tarball)).size).toBeLessThan(2 * 1024 * 1024);
  await mkdir(join(dir, "empty"));
  expect(await started("npm", "install", ...options, tarball)).toMatchObject({ code: 0 });
  const installed = join(dir, "empty/node_modules/microremed");
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "microremed", version, engines, license: "Apache-2.0" });
  for (const file of ["README.md", "LICENSE", "CHANGELOG.md"]) await stat(join(installed, file));

  // Not with npx: a command that ends with an exit code of its own is no error of npm's.
  const microremed = (...args: string[]) =>
    started("node", join(installed, manifest.bin.microremed), ...args);
  expect((await microremed("--help")).stdout).toContain("demo");
  expect((await microremed("environments")).stdout).toContain("online-boutique");
  expect((await microremed("faults")).stdout).toContain("pod-fail");
  expect(await microremed("doctor")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("in one process"),
  });
  const asked = await microremed("run", "--range", "processes");
  expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining("ansible-playbook") });

  const demo = await started("npx", "microremed", "demo", "--failures", "pod-fail", "--arenas", "2");
  expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining("reference/runbook") });
  expect(demo.stderr).toContain("using a range in one process instead");
  const report = await microremed("report", "runs/demo/episodes", "--format", "json");
  expect(JSON.parse(report.stdout)).toMatchObject({
    range: "in-process",
    summary: { total: 6, remediated: 4, harnessErrors: 0 },
  });
  const one = "runs/demo/episodes/0000_redis-cart_pod-fail.json";
  expect((await microremed("show", one)).stdout).toContain("not-remediated");
});

test("an author's folder of entries is checked by tsc against the installed package alone", async () => {
  const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const tools = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  expect(await started("npm", "install", "--save-dev", ...options, ...tools)).toMatchObject({ code: 0 });
  await cp(join(root, "docs/examples/catalogue"), join(dir, "empty/my-catalogue"), { recursive: true });
  await writeFile(
    join(dir, "empty/tsconfig.json"),
    '{ "extends": "microremed/dist/catalogue.tsconfig.json", "include": ["my-catalogue"] }',
  );
  expect(await started("npx", "tsc", "-p", ".")).toMatchObject({ code: 0, stdout: "" });
  const entry = join(dir, "empty/my-catalogue/tools/get-config-map/index.ts");
  await writeFile(
    entry,
    (await readFile(entry, "utf8")).replace("export default", "const none: number = z;\n$&"),
  );
  const wrong = await started("npx", "tsc", "-p", ".");
  expect(wrong).toMatchObject({
    code: expect.any(Number),
    stdout: expect.stringContaining("get-config-map"),
  });
  expect(wrong.code).not.toBe(0);
});

test("packing leaves the repository as it was", async () => {
  expect(await readFile(join(root, "package.json"), "utf8")).toBe(manifestBefore);
});
