import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "@microremed/deploy";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startComputer } from "./operators-computer.ts";

/** It takes a hosts file of its own, which a root without rights over mounts cannot make. */
const { exitCode } = await execa("unshare", ["--mount", "true"], { reject: false });
const isPossible = exitCode === 0;
const link = {
  enter: [],
  sockets: async () => ({ listening: [], connections: [] }),
  [Symbol.asyncDispose]: async () => undefined,
};

const nowhere = { kubeconfig: "/nowhere", programs: "/no-programs" };

test.skipIf(!isPossible)(
  "a shell keeps its variables and background jobs, and says what failed",
  async () => {
    await using computer = await startComputer(link, nowhere, () => undefined);
    expect(await computer.type("export a=1; sleep 1000 &")).toBe("");
    const lines: string[] = [];
    // A program that reads does not get the next command.
    expect(
      await computer.type('cat; for one in $a 2; do\n  echo "$one"\ndone', (line) => lines.push(line)),
    ).toBe("1\n2");
    expect(lines.filter((line) => line !== "")).toEqual(["1", "2"]);
    await expect(computer.type("ls nowhere | cat")).rejects.toThrow(/ended with 2: .*nowhere/);
    await expect(computer.type("echo Warning: would violate >&2")).rejects.toThrow(/warns/);
    expect(await computer.type("jobs -r | wc -l; echo $KUBECONFIG")).toBe("1\n/nowhere");
  },
);

test.skipIf(!isPossible)(
  "when the shell has ended, commands fail, whatever runs in its background",
  async () => {
    await using computer = await startComputer(link, nowhere, () => undefined);
    await computer.type("sleep 1000 &");
    await expect(computer.type("exit 3")).rejects.toThrow("the shell ended at `exit 3`");
    await expect(computer.type("true")).rejects.toThrow("no shell for `true`");
  },
);

test.skipIf(!isPossible)("hosts file and manifests are the computer's own", async () => {
  await using computer = await startComputer(link, nowhere, () => undefined);
  await computer.type("echo 192.0.2.7 nats.test >>/etc/hosts");
  expect(await computer.type("getent hosts nats.test")).toMatch(/^192\.0\.2\.7 /);
  expect(await readFile("/etc/hosts", "utf8")).not.toContain("nats.test");
  const file = "k8s/overlays/prod/config/clusters.yaml";
  await writeFile(join(computer.dir, file), "clusters: []\n");
  expect(await readFile(join(repository, file), "utf8")).toContain("staging");
  expect(await computer.type("ls docs/kubernetes.md")).toBe("docs/kubernetes.md");
});
