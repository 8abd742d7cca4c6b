import type { KubeObject } from "@microremed/sim-objects";
import { durationError } from "@microremed/sim-time";
import { type ChildKind, commitChild } from "../children/child-status.ts";
import type { HttpRule, PodHttpSpec } from "../children/pod-http-chaos.ts";
import { throughChild } from "../children/through-child.ts";
import type { ChaosDeps, ChaosImpl, ChaosKind, ChaosRecord } from "../model/chaos-kind.types.ts";
import { requirePod, targetOf } from "../model/targets.ts";
import { bool, int, list, mapOf, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, podSelectorFields } from "../schema/selector-fields.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

const child: ChildKind = { kind: "PodHttpChaos", plural: "podhttpchaos" };

/** A transparent proxy on one port of each selected pod: delays, cuts off and changes what comes in. */
export const httpChaos: ChaosKind = {
  kind: "HTTPChaos",
  plural: "httpchaos",
  selectorPaths: ["Spec.PodSelector.value"],
  spec: struct("v1alpha1.HTTPChaosSpec", {
    ...podSelectorFields,
    target: required(text("v1alpha1.PodHttpChaosTarget", ["Request", "Response"])),
    port: optional(int("int32")),
    path: optional(text()),
    method: optional(text()),
    code: optional(int("int32")),
    request_headers: optional(mapOf(text())),
    response_headers: optional(mapOf(text())),
    abort: optional(bool),
    delay: optional(text()),
    replace: optional(
      struct("v1alpha1.PodHttpChaosReplaceActions", {
        path: optional(text()),
        method: optional(text()),
        code: optional(int("int32")),
        body: optional(text()),
        queries: optional(mapOf(text())),
        headers: optional(mapOf(text())),
      }),
    ),
    patch: optional(
      struct("v1alpha1.PodHttpChaosPatchActions", {
        body: optional(
          struct("v1alpha1.PodHttpChaosPatchBodyAction", { type: required(text()), value: required(text()) }),
        ),
        queries: optional(list(list(text()))),
        headers: optional(list(list(text()))),
      }),
    ),
    tls: optional(
      struct("v1alpha1.PodHttpChaosTLS", {
        secretName: required(text()),
        secretNamespace: required(text()),
        certificateName: required(text()),
        privateKeyName: required(text()),
        caName: optional(text()),
      }),
    ),
    ...commonFields,
  }),
  validate(spec, errors) {
    const port = spec.port ?? 0;
    if (port <= 0) errors.add("Spec.Port", String(port), `port ${port} is not supported`);
    if (spec.method && !methods.includes(spec.method))
      errors.add("Spec.Method", JSON.stringify(spec.method), `method ${spec.method} is not supported`);
    if (spec.delay && durationError(spec.delay))
      errors.add(
        "Spec.PodHttpChaosActions.Delay",
        JSON.stringify(spec.delay),
        `invalid duration ${spec.delay}`,
      );
  },
  selects: () => "pod",
  callMs: [300, 1200],
  child: child.plural,
  create: createImpl,
};

function createImpl({ store }: ChaosDeps): ChaosImpl {
  const sourceOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;

  function ruleOf(object: KubeObject): HttpRule {
    const { target, port, path, method, code, abort, delay, replace } = object.spec;
    return {
      source: sourceOf(object),
      port,
      target,
      selector: { port, ...(path && { path }), ...(method && { method }), ...(code && { code }) },
      actions: { ...(abort && { abort }), ...(delay && { delay }), ...(replace && { replace }) },
    };
  }

  function commit(object: KubeObject, record: ChaosRecord, own: readonly HttpRule[]): number {
    const pod = requirePod(store, targetOf(record.id));
    return commitChild(store, child, pod, (spec: PodHttpSpec) => ({
      ...spec,
      rules: [...(spec.rules ?? []).filter(({ source }) => source !== sourceOf(object)), ...own],
    }));
  }

  return throughChild(store, child, {
    add: (object, record) => commit(object, record, [ruleOf(object)]),
    remove: (object, record) => commit(object, record, []),
  });
}
