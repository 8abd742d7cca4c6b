import type { ChaosKind } from "../chaos-kind.types.ts";
import { durationError } from "../go-duration.ts";
import { bool, int, list, mapOf, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, podSelectorFields } from "../schema/selector-fields.ts";
import { requirePod, targetOf } from "../targets.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

/** Recorded like the other kinds; the simulated traffic does not pass the proxy that it would start. */
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
  create: ({ store }) => ({
    apply(_object, record) {
      requirePod(store, targetOf(record.id));
      return { phase: "Injected" };
    },
    recover: () => ({ phase: "Not Injected" }),
  }),
};
