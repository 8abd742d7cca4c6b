import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPolicyRegistry } from "./policy-registry.ts";

const strict = `description: nothing but kubectl
modules: [ansible.builtin.shell]
lookups: []
connections: inventory
files: run
escalation: refused
namespaces: arena
changes: allowed
`;

async function withPolicy(text: string, use: (directory: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "microremed-test-"));
  try {
    await writeFile(join(directory, "strict.yaml"), text);
    use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

test("knows three policies, and says which when asked for another", () => {
  const policies = createPolicyRegistry();
  expect(policies.names).toEqual(["guarded", "open", "readonly"]);
  expect(() => policies.get("lax")).toThrow(/no policy "lax".*"guarded".*"open"/);
});

test("takes an operator's policy beside its own", async () => {
  await withPolicy(strict, (directory) => {
    const policies = createPolicyRegistry(directory);
    expect(policies.names).toEqual(["guarded", "open", "readonly", "strict"]);
    expect(policies.get("strict")).toMatchObject({ escalation: "refused" });
  });
});

test("says which file and field is wrong, at once", async () => {
  await withPolicy(strict.replace("files: run", "files: all"), (directory) => {
    expect(() => createPolicyRegistry(directory)).toThrow(/strict\.yaml.*files/s);
  });
  await withPolicy("a: [", (directory) => {
    expect(() => createPolicyRegistry(directory)).toThrow(/strict\.yaml.*not YAML/);
  });
  expect(() => createPolicyRegistry("/nowhere")).toThrow(/\/nowhere/);
});
