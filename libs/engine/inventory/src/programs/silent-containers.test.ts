import type { Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "../read-arena.ts";
import { partOf } from "../testing/an-arena.ts";
import { change, changesOf, classes, healthy, stress, target } from "../testing/judged-arena.ts";
import type { Programs } from "./foreign-programs.ts";
import type { ProgramsByContainer } from "./read-programs.ts";

const nothing: Programs = {
  first: { executable: "", command: "" },
  left: [],
  stopped: [],
  variables: new Map(),
};
const isTargets = ({ metadata }: { metadata: { name: string } }): boolean => metadata.name.startsWith(target);
const pod = healthy.objects.find((object) => object.kind === "Pod" && isTargets(object)) as Pod;
const [container] = pod.spec?.containers ?? [];

const withPrograms = (arena: ArenaObjects, reading: Programs | null): ArenaObjects => {
  const programs: ProgramsByContainer = new Map([[`${pod.metadata.name}/${container?.name}`, reading]]);
  return { ...arena, programs };
};
const answered = withPrograms(stress, nothing);
/** As a fault does that replaces the images of pods, while the old container still answers. */
const replaced = (arena: ArenaObjects): ArenaObjects =>
  change(
    `Pod/${pod.metadata.name}`,
    (object) => Object.assign(partOf(object, "spec", "containers", 0), { image: "pause:1" }),
    arena,
  );

test("a container that answered and is silent now may hide a program", () => {
  expect(classes(withPrograms(healthy, null), { injected: answered })).toEqual([
    `acts Pod/${pod.metadata.name}`,
  ]);
});

test("a container whose image the fault replaced is silent by the fault", () => {
  const injected = withPrograms(replaced(stress), nothing);
  expect(classes(withPrograms(replaced(stress), null), { injected })).toEqual([
    `unrepaired Pod/${pod.metadata.name}`,
    "spent StressChaos/cpu-stress",
  ]);
});

test("a program that was stopped is still there: recovered, and not clean", () => {
  const stopped = {
    ...nothing,
    stopped: [{ executable: "/usr/bin/stress-ng", command: "stress-ng-cpu [run]" }],
  };
  expect(classes(withPrograms(stress, stopped), { injected: answered })).toEqual([
    ...[`changed Pod/${pod.metadata.name}`, "spent StressChaos/cpu-stress"],
  ]);
});

test("a pod that started with a value that was changed back since is not as declared", () => {
  const { env } = container as unknown as { readonly env: readonly { name: string; value?: string }[] };
  const variables = new Map(env.map(({ name, value = "" }) => [name, value]));
  const [[first = "", value = ""] = []] = variables;
  const injected = withPrograms(stress, { ...nothing, variables });
  const after = (change: ReadonlyMap<string, string>) =>
    changesOf(withPrograms(healthy, { ...nothing, variables: change }), { injected }).map(
      (one) => `${one.class} ${one.detail}`,
    );
  expect(after(variables)).toEqual([]);
  expect(after(new Map([...variables, ["OTHER", "x"]]))).toEqual([]);
  const said = `breaks container ${container?.name} has started with other values of ${first} than are declared`;
  expect(after(new Map([...variables, [first, `${value}x`]]))).toEqual([said]);
  // What was not as declared before says nothing, as of a program that writes over its variables.
  const overwritten = withPrograms(stress, { ...nothing, variables: new Map([[first, "x"]]) });
  expect(classes(answered, { injected: overwritten })).toEqual(["spent StressChaos/cpu-stress"]);
});
