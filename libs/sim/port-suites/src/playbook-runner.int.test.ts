import { createSandboxedRunner, startWarmRunner } from "@microremed/ansible/sandboxed";
import { testPlaybookRunner } from "@microremed/ansible/testing";
import { silentLogger } from "@microremed/core";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { afterAll } from "vitest";
import { overHttp } from "./testing/clusters-under-test.ts";

const { best: sandbox } = await sandboxesHere();
const warm = startWarmRunner({ log: silentLogger, sandbox });
afterAll(() => warm[Symbol.asyncDispose]());

testPlaybookRunner("playbooks by Ansible", async () => ({
  ...(await overHttp()),
  runner: createSandboxedRunner({ sandbox, warm }),
}));
