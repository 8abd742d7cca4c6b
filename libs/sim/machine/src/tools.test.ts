import { expect, test } from "vitest";
import { isBareImage, lacksInterpreter, programsOfImage } from "./tools.ts";

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

test.each([
  ["busybox", "python3", true],
  ["docker.m.daocloud.io/library/nginx:1.27", "python3", true],
  ["python:3.9-slim", "python3", false],
  ["python:3.9-slim", "/usr/bin/node", true],
  ["node:20-alpine", "node", false],
  ["gcr.io/shop/python:1", "node", false],
  ["example.org/busybox", "python3", false],
  ["busybox", "own-program", false],
])("%s is known not to have %s: %s", (image, program, lacks) => {
  expect(lacksInterpreter(image, program)).toBe(lacks);
});

test.each([
  ["alpine:3.20", true],
  ["python:3.12", true],
  ["nginx:1.27", false],
  ["example.org/app:1", false],
])("%s alone is a prompt: %s", (image, is) => {
  expect(isBareImage(image)).toBe(is);
});
