import { expect, test } from "vitest";
import { reviewResources, settingsProblem } from "./container-resources.ts";

const memory = { defaultLimit: "16Mi", defaultRequest: "8Mi", maxLimit: "32Mi" };
const container = (resources?: object, image = "shop:1") => ({ image, ...(resources && { resources }) });
const review = (settings: object, ...containers: object[]) =>
  reviewResources(settings, { containers }, "/spec");

test("it fills in what a container leaves open, and leaves the rest", () => {
  const own = { limits: { cpu: "1", memory: "20Mi" }, requests: { memory: "20Mi" } };
  expect(review({ memory }, container(), container({ limits: { cpu: "1" } }), container(own))).toEqual({
    patch: [
      {
        op: "add",
        path: "/spec/containers/0/resources",
        value: { limits: { memory: "16Mi" }, requests: { memory: "8Mi" } },
      },
      {
        op: "add",
        path: "/spec/containers/1/resources",
        value: { limits: { cpu: "1", memory: "16Mi" }, requests: { memory: "8Mi" } },
      },
    ],
  });
});

test("it refuses a limit above the highest, but not in images that it ignores", () => {
  const much = { limits: { memory: "33Mi" } };
  expect(review({ memory }, container(much))).toEqual({
    refused: "memory limit '33Mi' exceeds the max allowed value '32Mi'",
  });
  const ignoreImages = ["shop:*", "mall"];
  const images = ["shop:1", "mall"].map((image) => container(much, image));
  expect(review({ memory, ignoreImages }, ...images)).toEqual({ patch: [] });
  expect(review({ memory, ignoreImages }, container(much, "mall:1"))).toHaveProperty("refused");
});

test("where it ignores values they must be there, whatever they are", () => {
  const any = { memory: { ignoreValues: true } };
  expect(review(any, container({ limits: { memory: "1" }, requests: { memory: "1" } }))).toEqual({
    patch: [],
  });
  expect(review(any, container({ limits: { memory: "1" } }))).toEqual({
    refused: "container does not have a memory request",
  });
});

test.each([
  [{}, "no settings provided. At least one resource limit or request must be verified"],
  [{ memory: {} }, "invalid memory settings\nall the quantities must be defined"],
  [
    { cpu: { maxLimit: "1", defaultLimit: "2" } },
    "invalid cpu settings\ndefault values cannot be greater than the max limit",
  ],
  [
    { memory: { maxLimit: "1Mi", ignoreValues: true } },
    "invalid memory settings\nignoreValues cannot be true when any quantities are defined",
  ],
  [{ memory, cpu: { ignoreValues: true } }, undefined],
])("settings %j", (settings, problem) => {
  expect(settingsProblem(settings)).toBe(problem);
});
