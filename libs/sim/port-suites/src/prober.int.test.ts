import { createSandboxedProber } from "@microremed/kubectl/sandboxed";
import { testProber } from "@microremed/kubectl/testing";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { overHttp } from "./testing/clusters-under-test.ts";

const { best: sandbox } = await sandboxesHere();

testProber("probes by kubectl", async () => ({
  ...(await overHttp()),
  prober: createSandboxedProber(sandbox),
}));
