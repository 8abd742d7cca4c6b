import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";
import { repository } from "./repository.ts";

// What calls official installers and builders cannot run here: it is read by shellcheck (Debian: shellcheck), says what it
// would run, and refuses what it cannot do.
const hasShellcheck = (await execa("shellcheck", ["--version"], { reject: false })).exitCode === 0;
const shell = (script: string, ...args: string[]) =>
  execa("sh", [join("scripts", script), ...args], { cwd: repository, reject: false, timeout: 30_000 });

/** Runs build-images with builders that note how they are called and build nothing; returns the calls. */
async function buildWith(builder: string, env: Record<string, string>, ...args: string[]): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-builders-"));
  try {
    for (const name of ["docker", "podman", "buildah", "nerdctl"]) {
      const lines = [
        "#!/bin/sh",
        `[ "$1 $2" != "buildx version" ] || exit \${NO_BUILDX:-0}`,
        `case $1 in info | --version) exit 0 ;; esac`,
        `echo "${name} $*" >>${join(dir, "calls")}`,
      ];
      await writeFile(join(dir, name), `${lines.join("\n")}\n`, { mode: 0o755 });
    }
    const ran = await execa("sh", ["scripts/build-images", ...args], {
      cwd: repository,
      reject: false,
      timeout: 30_000,
      env: {
        PATH: `${dir}:${process.env["PATH"]}`,
        ...{ BUILDER: builder, PLATFORMS: "linux/amd64", REGISTRY: "r.example.org" },
        ...{ NODE_IMAGE: "node", DEBIAN_IMAGE: "debian", OUTPUT: join(dir, "out") },
        ...env,
      },
    });
    if (ran.exitCode !== 0) return [ran.stderr];
    const calls = await readFile(join(dir, "calls"), "utf8");
    return calls.trim().replaceAll(join(dir, "out"), "OUT").split("\n");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

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

test("build-images builds, pushes over HTTP and writes an archive, in the words of each builder", async () => {
  const manifest = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as {
    version: string;
  };
  const image = `r.example.org/executor:${manifest.version}`;
  const file = "-f k8s/images/executor.Dockerfile --build-arg NODE=node --build-arg DEBIAN=debian .";
  const one = `--platform linux/amd64 ${file}`;
  const push = { PUSH: "insecure" };
  for (const builder of ["podman", "buildah"])
    expect(await buildWith(builder, push, "executor")).toEqual([
      `${builder} build --layers -t ${image} ${one}`,
      `${builder} push --tls-verify=false ${image} docker://${image}`,
      `${builder} push ${image} oci-archive:OUT/executor.tar`,
    ]);
  expect(await buildWith("nerdctl", push, "executor")).toEqual([
    `nerdctl build -t ${image} ${one}`,
    `nerdctl --insecure-registry push --all-platforms ${image}`,
    `nerdctl save --all-platforms -o OUT/executor.tar ${image}`,
  ]);
  expect(await buildWith("docker", { PUSH: "1" }, "executor")).toEqual([
    `docker buildx build -t ${image} ${one} --push --output type=oci,dest=OUT/executor.tar`,
  ]);
  expect(await buildWith("docker", { OUTPUT: "" }, "executor")).toEqual([
    `docker buildx build -t ${image} --load ${one}`,
  ]);
  expect(await buildWith("docker", { ...push, NO_BUILDX: "1" }, "executor")).toEqual([
    `docker build -t ${image} ${one}`,
    `docker push ${image}`,
    `docker save -o OUT/executor.tar ${image}`,
  ]);
  const both = { PLATFORMS: "linux/amd64,linux/arm64" };
  expect(await buildWith("buildah", { ...both, PUSH: "1" }, "executor")).toEqual([
    `buildah manifest rm ${image}`,
    `buildah build --layers --manifest ${image} --platform linux/amd64,linux/arm64 ${file}`,
    `buildah manifest push --all --tls-verify=true ${image} docker://${image}`,
    `buildah manifest push --all ${image} oci-archive:OUT/executor.tar`,
  ]);
  expect((await buildWith("docker", { ...both, NO_BUILDX: "1" }, "executor"))[0]).toContain(
    "docker without buildx builds for one platform",
  );
  expect(await buildWith("", { OUTPUT: "" })).toHaveLength(3);
  expect((await buildWith("kaniko", {}))[0]).toContain("known: docker, podman, buildah, nerdctl");
  expect((await buildWith("podman", {}, "executer"))[0]).toContain("there is no image executer");
});
