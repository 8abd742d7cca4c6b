import { expect, test } from "vitest";
import { type WebhookRequest, type WebhookResponse, webhookAdmission } from "./webhook-admission.ts";

const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];
const hook = (name: string, fields: object = {}) => ({
  name: `${name}.example.com`,
  rules,
  failurePolicy: "Fail",
  timeoutSeconds: 5,
  clientConfig: { service: { namespace: "policy", name, path: "/review" } },
  ...fields,
});
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", namespace: "shop", labels: {} },
  spec: { containers: [{ name: "c", image: "i" }] },
} as never;
const request = {
  operation: "CREATE",
  object: pod,
  old: undefined,
  user: { name: "u", uid: "", groups: [] },
  namespace: "shop",
  group: "",
  resource: "pods",
} as const;

/** `answers`: by the name of a webhook's Service; one that has none is not there. */
function admission(
  kind: "mutating" | "validating",
  webhooks: readonly object[],
  answers: Readonly<Record<string, (request: WebhookRequest) => WebhookResponse>>,
) {
  const asked: string[] = [];
  const configurations = webhooks.map((one, index) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "WebhookConfiguration",
    // Listed the other way round: their names decide.
    metadata: { name: `z${index}` },
    webhooks: [one],
  }));
  const admitted = webhookAdmission({
    store: {
      list: (({ resource }: { resource: string }) =>
        resource.startsWith(kind) ? configurations.toReversed() : []) as never,
      get: () => undefined,
    },
    call: ({ service }, of) => {
      asked.push(service?.name ?? "");
      return answers[service?.name ?? ""]?.(of) ?? `service ${JSON.stringify(service?.name)} not found`;
    },
  });
  return { asked, ...admitted };
}

const label = (name: string, value = "true") => ({
  allowed: true,
  patch: [{ op: "add", path: `/metadata/labels/${name}`, value }],
});

test("webhooks change an object one after the other, and it is completed after each", () => {
  const limit = [{ op: "add", path: "/spec/containers/0/resources", value: { limits: { memory: "16Mi" } } }];
  const { mutate, asked } = admission("mutating", [hook("one"), hook("two")], {
    one: () => label("seen"),
    two: ({ object }) => ({ allowed: object?.metadata.labels?.["seen"] === "true", patch: limit }),
  });
  expect(mutate?.(request)).toMatchObject({
    metadata: { labels: { seen: "true" } },
    spec: { containers: [{ resources: { limits: { memory: "16Mi" }, requests: { memory: "16Mi" } } }] },
  });
  expect(asked).toEqual(["one", "two"]);
});

test("one that asks for it is called again, once, if a later one changed the object", () => {
  let calls = 0;
  const again = hook("again", { reinvocationPolicy: "IfNeeded" });
  const { mutate, asked } = admission(
    "mutating",
    [again, hook("later"), hook("never", { reinvocationPolicy: "Never" })],
    {
      again: () => label("calls", String(++calls)),
      later: () => label("later"),
      never: () => ({ allowed: true }),
    },
  );
  expect(mutate?.(request)).toMatchObject({ metadata: { labels: { calls: "2", later: "true" } } });
  expect(asked).toEqual(["again", "later", "never", "again"]);
});

test("one that cannot be asked refuses, unless its failure is ignored", () => {
  const refuses = admission("validating", [hook("gone")], {});
  expect(() => refuses.validate?.(request)).toThrow(
    'Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: Post "https://gone.policy.svc:443/review?timeout=5s": service "gone" not found',
  );
  const ignores = admission("validating", [hook("gone", { failurePolicy: "Ignore" }), hook("there")], {
    there: () => ({ allowed: true }),
  });
  expect(() => ignores.validate?.(request)).not.toThrow();
  expect(ignores.asked).toEqual(["gone", "there"]);
});

test("it is asked with its authorities and its time, and an answer that is no review fails the call", () => {
  const calls: unknown[] = [];
  const found = (failurePolicy: string) =>
    webhookAdmission({
      store: {
        list: (({ resource }: { resource: string }) =>
          resource.startsWith("mutating")
            ? [
                {
                  metadata: { name: "a" },
                  webhooks: [
                    hook("odd", { failurePolicy, clientConfig: { url: "https://a", caBundle: "PEM" } }),
                  ],
                },
              ]
            : []) as never,
        get: () => undefined,
      },
      call: (client, _, timeoutMs) => {
        calls.push([client, timeoutMs]);
        return { error: "the server could not find the requested resource" };
      },
    });
  expect(() => found("Fail").mutate?.(request)).toThrow(
    'Internal error occurred: failed calling webhook "odd.example.com": failed to call webhook: the server could not find the requested resource',
  );
  expect(found("Ignore").mutate?.(request)).toBe(pod);
  expect(calls[0]).toEqual([{ url: "https://a", caBundle: "PEM" }, 5_000]);
});

test.each([
  [{ message: "no pods today", code: 403 }, 403, "denied the request: no pods today"],
  [{ reason: "Because" }, 400, "denied the request: Because"],
  [{ code: 200 }, 400, "denied the request without explanation"],
])("a denial %j", (status, code, text) => {
  const { validateDelete } = admission("validating", [hook("no")], {
    no: () => ({ allowed: false, status }),
  });
  const message = `admission webhook "no.example.com" ${text}`;
  expect(() => validateDelete?.({ ...request, operation: "DELETE" })).toThrow(
    expect.objectContaining({ code, message }),
  );
});
