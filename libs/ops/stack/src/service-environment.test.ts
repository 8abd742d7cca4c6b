import { users } from "@microremed/contracts";
import { expect, test } from "vitest";
import { serviceEnvironment, warmAnsibleOf } from "./service-environment.ts";
import { serviceNames } from "./service-names.ts";

function passwords(of: string) {
  const entries = users.map((user) => [user, `${of}-${user}`]);
  return Object.fromEntries(entries) as Record<(typeof users)[number], string>;
}

const natsPasswords = passwords("nats");
const access = {
  natsUrl: "nats://127.0.0.1:1",
  natsUser: "client",
  natsPassword: natsPasswords.client,
  natsPasswords,
  redisUrl: "redis://admin:redis-admin@127.0.0.1:2",
  redisPasswords: passwords("redis"),
  clustersFile: "/x/clusters.yaml",
  referenceModelsUrl: "http://127.0.0.1:3/v1",
} as const;
const own = { PATH: "/usr/bin", OPENAI_API_KEY: "sk-canary", MICROREMED_MODELS_FILE: "/x/models.yaml" };

test("only the remediator is given the keys of models", () => {
  expect(serviceEnvironment("executor", access, {}, own)).not.toHaveProperty("OPENAI_API_KEY");
  expect(serviceEnvironment("remediator", access, {}, own)).toHaveProperty("OPENAI_API_KEY", "sk-canary");
});

test("every service gets the receiver of traces, and keeps its own name", () => {
  const traced = { ...own, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SERVICE_NAME: "range" };
  for (const service of serviceNames) {
    const environment = serviceEnvironment(service, access, {}, traced);
    expect(environment).toHaveProperty("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    expect(environment).not.toHaveProperty("OTEL_SERVICE_NAME");
  }
});

test("every service gets its connections, and given options win over the environment", () => {
  expect(serviceEnvironment("scheduler", access, { logLevel: "debug", modelsFile: "/y.yaml" }, own)).toEqual({
    PATH: "/usr/bin",
    NATS_URL: access.natsUrl,
    NATS_USER: "scheduler",
    NATS_PASSWORD: "nats-scheduler",
    REDIS_URL: "redis://scheduler:redis-scheduler@127.0.0.1:2",
    CLUSTERS_FILE: access.clustersFile,
    REFERENCE_MODELS_URL: access.referenceModelsUrl,
    LOG_LEVEL: "debug",
    MICROREMED_MODELS_FILE: "/y.yaml",
  });
});

test("the first process with clusters keeps Ansible warm for all, and none does where it is not wanted", () => {
  const [first, second] = [1, 2].map((host) => warmAnsibleOf(host, {}, "/range"));
  expect(first).toEqual({ WARM_ANSIBLE: "true", WARM_ANSIBLE_ADDRESS: "/range/warm-ansible" });
  expect(second).toEqual({ ...first, WARM_ANSIBLE: "false" });
  expect(warmAnsibleOf(1, { WARM_ANSIBLE: "false" }, "/range")).toEqual({});
});
