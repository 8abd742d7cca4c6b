import { expect, test } from "vitest";
import { FileTree } from "./file-tree.ts";
import { flagdState, flagValue } from "./flagd-server.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";

/** A flagd with the file of its command line in a volume. */
function aFlagd(text: string | undefined, source = ["--uri", "file:./etc/flagd/flags.json"]) {
  const files = new FileTree();
  const write = (content: string): unknown => files.set("/flags.json", new Uint8Array(Buffer.from(content)));
  if (text !== undefined) write(text);
  const sandbox = { volumes: new Map([["flags", files]]) } as unknown as PodSandbox;
  const container = {
    command: ["/flagd-build", "start", ...source],
    mounts: new Map([["/etc/flagd", "flags"]]),
    files: new FileTree(),
  } as unknown as ContainerRuntime;
  return { write, files, state: () => flagdState(sandbox, container) };
}

const withFlag = (flag: object): string =>
  JSON.stringify({
    flags: { slow: { state: "ENABLED", variants: { on: true, half: 0.5, off: false }, ...flag } },
  });

test.each<[what: string, flag: object, value: number]>([
  ["on", { defaultVariant: "on" }, 1],
  ["a number", { defaultVariant: "half" }, 0.5],
  ["off", { defaultVariant: "off" }, 0],
  ["disabled", { state: "DISABLED", defaultVariant: "on" }, 0],
  ["without a default", { defaultVariant: null }, 0],
  ["of an unknown variant", { defaultVariant: "constructor" }, 0],
  ["led to a variant", { defaultVariant: "off", targeting: "on" }, 1],
  [
    "on for a share",
    {
      defaultVariant: "off",
      targeting: {
        fractional: [
          ["on", 25],
          ["off", 75],
        ],
      },
    },
    0.25,
  ],
  ["under an empty rule", { defaultVariant: "on", targeting: {} }, 1],
])("a flag that is %s", (_, flag, value) => {
  const { state } = aFlagd(withFlag(flag));
  expect([flagValue(state(), "slow"), flagValue(state(), "toString")]).toEqual([value, 0]);
});

test.each([[["-f", "file:/etc/flagd/flags.json"]], [["--uri=file:etc/flagd/flags.json"]]])(
  "reads the file that %j names",
  (source) => {
    expect(flagValue(aFlagd(withFlag({ defaultVariant: "on" }), source).state(), "slow")).toBe(1);
  },
);

test("follows its file: what it cannot read changes nothing, without a file it has no flags", () => {
  const { write, files, state } = aFlagd(withFlag({ defaultVariant: "on" }));
  const first = state();
  expect(state()).toBe(first);
  write("{ flags");
  expect(state()).toMatchObject({ error: expect.stringContaining("parse json"), flags: first.flags });
  write('{"flags": []}');
  expect(state()).toMatchObject({ error: expect.stringContaining("flags is required"), flags: first.flags });
  write(withFlag({ defaultVariant: "off" }));
  expect([flagValue(state(), "slow"), state().error]).toEqual([0, undefined]);
  write(withFlag({ defaultVariant: "on" }));
  state();
  files.delete("/flags.json");
  expect(flagValue(state(), "slow")).toBe(0);
});

test("a file that could never be read gives no flags", () => {
  expect(aFlagd("nonsense").state().flags).toEqual({});
  expect(aFlagd(undefined).state().flags).toEqual({});
});
