import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";

// What calls official installers and builders cannot run here: it is read by shellcheck (Debian: shellcheck), says what it
// would run, and refuses what it cannot do.
const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const hasShellcheck = (await execa("shellcheck", ["--version"], { reject: false })).exitCode === 0;
const shell = (script: string, ...args: string[]) =>
  execa("sh", [join("scripts", script), ...args], { cwd: repository, reject: false, timeout: 30_000 });

test.runIf(hasShellcheck)("shellcheck finds nothing in the scripts", async () => {
  const scripts = ["build-images", "k3s-up", "kind-up", "pin-images", "sbom", "setup"].map(
    (name) => `scripts/${name}`,
  );
  const acl = join(k8sRoot, "components/redis/write-acl.sh");
  const found = await execa("shellcheck", ["-x", ...scripts, acl], { cwd: repository, reject: false });
  expect(found.stdout).toBe("");
});

test("k3s-up and kind-up say what they would run: installers at fixed versions, then our own preparation", async () => {
  for (const [script, name] of [
    ["k3s-up", "k3s"],
    ["kind-up", "kind"],
  ] as const) {
    const { stdout, exitCode } = await shell(script, "--dry-run");
    expect(exitCode).toBe(0);
    const commands = stdout.split("\n");
    expect(commands.at(-1)).toBe(
      `npx microremed cluster prepare --kubeconfig ${name}.kubeconfig --name ${name}`,
    );
    expect(stdout).toMatch(/v1\.31\.\d+/);
    expect(stdout).not.toMatch(/latest|\/master\/|\/main\//);
    expect((await shell(script, "--dryrun")).stderr).toContain("unknown argument --dryrun; known: --dry-run");
  }
});

test("an image whose bases are not pinned is not built, and the refusal says what to do", async () => {
  const pins = await readFile(join(k8sRoot, "images/pins.env"), "utf8");
  // As committed. With pinned images a test must not build them.
  if (!/^NODE_DIGEST=$/m.test(pins)) return;
  const { exitCode, stderr } = await shell("build-images");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/node:\S+ is not pinned: run scripts\/pin-images/);
});
