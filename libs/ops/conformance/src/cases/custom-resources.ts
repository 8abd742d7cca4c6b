import { area } from "../area.ts";
import { manifest } from "../manifests.ts";
import { condition } from "../match.ts";
import { afterwards, fails, given, http, needs, run, until } from "../steps/index.ts";

const crd = (more: object = {}) => ({
  ...manifest("apiextensions.k8s.io/v1 CustomResourceDefinition", "widgets.$NS.example.com", {
    spec: {
      group: "$NS.example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["wd"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  required: ["size"],
                  properties: { size: { type: "integer", minimum: 1 }, color: { type: "string", default: "red", enum: ["red", "blue"] } },
                },
                status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              },
            },
          },
        },
      ],
    },
  }),
  ...more,
});

/** A definition whose version says this beside its name. */
const bare = (version: object) =>
  crd({
    spec: {
      group: "$NS.example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets" },
      versions: [{ name: "v1", served: true, storage: true, ...version }],
    },
  });
const withSchema = (openAPIV3Schema: object) => bare({ schema: { openAPIV3Schema } });

const widget = (spec: object) => manifest("$NS.example.com/v1 Widget", "one", { spec });
const established = [given(crd()), until("crd/widgets.$NS.example.com", condition("Established", "True"))];
const widgets = "/apis/$NS.example.com/v1/namespaces/$NS/widgets";

export const customResources = area("custom resources", {
  "are served once they are defined": [
    ...established,
    http(`POST ${widgets}`, 201, { spec: { size: 3, color: "red" } }, { body: widget({ size: 3 }) }),
    http(`GET ${widgets}`, 200, { kind: "WidgetList", items: [{ metadata: { name: "one", generation: 1 } }] }),
  ],
  "are printed with their columns": [...established, http(`POST ${widgets}`, 201, {}, { body: widget({ size: 3 }) }), run("get widgets.$NS.example.com", "NAME SIZE\none 3")],
  "are validated": [
    ...established,
    http(`POST ${widgets}`, 422, { message: /spec\.size: Required value/ }, { body: widget({}) }),
    http(`POST ${widgets}`, 422, { message: /spec\.size: Invalid value: 0: spec\.size in body should be greater than or equal to 1/ }, { body: widget({ size: 0 }) }),
    http(`POST ${widgets}`, 422, { message: /spec\.color: Unsupported value: "green": supported values: "red", "blue"/ }, { body: widget({ size: 1, color: "green" }) }),
    http(`POST ${widgets}`, 422, { message: /spec\.size: Invalid value: "string": spec\.size in body must be of type integer: "string"/ }, { body: widget({ size: "big" }) }),
  ],
  "are pruned": [...established, http(`POST ${widgets}`, 201, { spec: { nonsense: undefined } }, { body: widget({ size: 1, nonsense: 1 }) })],
  "have a status of their own": [
    ...established,
    http(`POST ${widgets}`, 201, {}, { body: widget({ size: 1 }) }),
    http(
      `PATCH ${widgets}/one/status`,
      200,
      { status: { ready: true }, metadata: { generation: 1 } },
      { body: { status: { ready: true } }, contentType: "application/merge-patch+json" },
    ),
  ],
  "go with their definition": [
    ...established,
    http(`POST ${widgets}`, 201, {}, { body: widget({ size: 1 }) }),
    run("delete crd widgets.$NS.example.com", /deleted/),
    http(`GET ${widgets}`, 404),
  ],
  "a definition needs a schema": [
    afterwards("delete", "crd", "widgets.$NS.example.com", "--ignore-not-found"),
    fails("create -f -", /spec\.versions\[0\]\.schema\.openAPIV3Schema: Required value/, {
      input: bare({}),
    }),
  ],
});

const ruled = (rules: readonly object[], more: object = {}) => [
  given(
    withSchema({
      type: "object",
      properties: {
        spec: {
          type: "object",
          required: ["min"],
          properties: {
            min: { type: "integer" },
            max: { type: "integer" },
            names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } },
            ...more,
          },
          "x-kubernetes-validations": rules,
        },
      },
    }),
  ),
  until("crd/widgets.$NS.example.com", condition("Established", "True")),
];
const posted = (spec: object, status: number, message?: RegExp) => http(`POST ${widgets}`, status, message ? { message } : {}, { body: widget(spec) });
const patched = (spec: object, status: number, message?: RegExp) =>
  http(`PATCH ${widgets}/one`, status, message ? { message } : {}, { body: { spec }, contentType: "application/merge-patch+json" });
/** Servers show a value's type, later ones the value. */
const says = (field: string, text: string): RegExp => new RegExp(`${field}: Invalid value: .*: ${text}`);
const order = "!has(self.max) || self.min <= self.max";

export const customRules = area("custom resources: rules", {
  "a rule that fails is shown": [...ruled([{ rule: order }]), posted({ min: 3, max: 2 }, 422, says("spec", "failed rule: !has\\(self\\.max\\)")), posted({ min: 2, max: 3 }, 201)],
  "a field that is not there": [...ruled([{ rule: order }]), posted({ min: 3 }, 201)],
  "the rule's message": [...ruled([{ rule: order, message: "min must not exceed max" }]), posted({ min: 3, max: 2 }, 422, says("spec", "min must not exceed max"))],
  "a message that is computed": [
    needs("Kubernetes 1.27"),
    ...ruled([{ rule: order, messageExpression: "'wrong for ' + self.names[0]" }]),
    posted({ min: 3, max: 2, names: ["cart"] }, 422, says("spec", "wrong for cart")),
  ],
  "the rule's reason and field": [
    needs("Kubernetes 1.28"),
    ...ruled([{ rule: order, message: "too large", reason: "FieldValueForbidden", fieldPath: ".min" }]),
    posted({ min: 3, max: 2 }, 422, /spec\.min: Forbidden: too large/),
  ],
  "several rules": [...ruled([{ rule: "self.min > 0" }, { rule: "self.min % 2 == 0" }]), posted({ min: -1 }, 422, /failed rule: self\.min > 0.*failed rule: self\.min % 2 == 0/s)],
  "lists and text": [
    ...ruled([{ rule: "!has(self.names) || (self.names.all(n, n.startsWith('a')) && self.names.isSorted())" }]),
    posted({ min: 1, names: ["ab", "aa"] }, 422, /failed rule/),
    posted({ min: 1, names: ["b"] }, 422, /failed rule/),
    posted({ min: 1, names: ["aa", "ab"] }, 201),
  ],
  "a rule about a change": [
    ...ruled([{ rule: "self.min >= oldSelf.min", message: "min may only grow" }]),
    posted({ min: 2 }, 201),
    patched({ min: 3 }, 200),
    patched({ min: 1 }, 422, says("spec", "min may only grow")),
  ],
  "a field that never changes": [
    ...ruled([], { kind: { type: "string", maxLength: 10, "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "kind is immutable" }] } }),
    posted({ min: 1, kind: "a" }, 201),
    patched({ min: 2 }, 200),
    patched({ kind: "b" }, 422, says("spec\\.kind", "kind is immutable")),
  ],
  "rules wait until the rest is right": [
    ...ruled([{ rule: order }]),
    posted(
      { max: 1 },
      422,
      /spec\.min: Required value.*some validation rules were not checked because the object was invalid; correct the existing errors to complete validation/s,
    ),
  ],
  "kubectl shows it": [
    ...ruled([{ rule: order, message: "min must not exceed max" }]),
    fails("create -f -", /^The Widget "one" is invalid: spec: Invalid value: .*: min must not exceed max/, { input: widget({ min: 3, max: 2 }) }),
  ],
  "a rule that is no expression": [
    afterwards("delete", "crd", "widgets.$NS.example.com", "--ignore-not-found"),
    fails("create -f -", /x-kubernetes-validations\[0\]\.rule: Invalid value: .*: compilation failed: ERROR: <input>:1:/, {
      input: withSchema({ type: "object", "x-kubernetes-validations": [{ rule: "self.metadata.name ==" }] }),
    }),
  ],
});
