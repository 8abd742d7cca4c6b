import { expect, test } from "vitest";
import { programsOfImage } from "./tools.ts";

test.each([
  ["openjdk:17", false],
  ["docker.io/library/openjdk:21-jdk-oraclelinux8", false],
  ["openjdk:17-jdk-slim", true],
  ["openjdk:11", true],
  ["example.org/openjdk-app:17", true],
  ["debian:12", true],
  ["busybox", true],
])("%s has find: %s", (image, has) => {
  const programs = programsOfImage(image);
  expect([programs.includes("find"), programs.includes("tar")]).toEqual([has, true]);
});
