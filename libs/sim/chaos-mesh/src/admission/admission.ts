import type { AdmissionHook, AdmissionRequest } from "@microremed/sim-kinds";
import { invalid, jsonEqual, type KubeObject, type NewObject, StatusError } from "@microremed/sim-objects";
import { chaosKinds } from "../kinds/chaos-kinds.ts";
import { type ChaosKind, chaosGroup } from "../model/chaos-kind.types.ts";
import { asObject, decodeError, defaulted, schemaViolations, unknownFields } from "../schema/decode.ts";
import { checkSelectorValue, FieldErrors } from "../schema/field-errors.ts";
import { defaultedSchedule, scheduleErrors, templateOf } from "./schedule-admission.ts";

export interface ChaosAdmissionDeps {
  /**
   * Whether a user may create a resource (lower-case kind) in a namespace; the `vauth` webhook asks it for every
   * namespace that an experiment reaches.
   */
  mayCreate?(user: AdmissionRequest["user"], namespace: string | undefined, resource: string): boolean;
}

const schedules = "schedules";

/** Chaos Mesh's webhooks and CRD validation, for the API server. */
export function chaosAdmission({ mayCreate = () => true }: ChaosAdmissionDeps = {}): AdmissionHook {
  function validateSchedule({ object, user }: AdmissionRequest): void {
    const errors = scheduleErrors(object);
    if (errors.length > 0) throw deny("vschedule.kb.io", errors.join(", "));
    const namespaces = reachedNamespaces(templateOf(object));
    if (namespaces.length === 0 && !mayCreate(user, undefined, schedules))
      throw deny("vauth.kb.io", `${user.name} is forbidden on cluster`);
    for (const namespace of namespaces)
      if (!mayCreate(user, namespace, schedules))
        throw deny("vauth.kb.io", `${user.name} is forbidden on namespace ${namespace}`);
  }
  const kinds = new Map(chaosKinds.map((kind) => [kind.plural, kind]));
  const kindOf = ({ resource }: AdmissionRequest): ChaosKind | undefined => kinds.get(resource);
  return {
    name: "chaos-mesh",
    group: chaosGroup,
    resources: [...kinds.keys(), schedules],
    mutate(request) {
      if (request.resource === schedules) return defaultedSchedule(request.object);
      const kind = kindOf(request);
      return kind ? mutate(kind, request) : request.object;
    },
    validate(request) {
      if (request.resource === schedules) return validateSchedule(request);
      const kind = kindOf(request);
      if (!kind) return;
      validate(kind, request);
      for (const namespace of reachedNamespaces(request.object.spec))
        if (!mayCreate(request.user, namespace, kind.plural))
          throw deny("vauth.kb.io", `${request.user.name} is forbidden on namespace ${namespace}`);
    },
  };
}

/** Fields of an experiment that its kind does not know, e.g. `spec.foo`, for strict field validation. */
export function unknownChaosFields(resource: string, object: NewObject): readonly string[] {
  const kind = chaosKinds.find(({ plural }) => plural === resource);
  return kind ? unknownFields(kind.spec, object.spec, "spec") : [];
}

function deny(webhook: string, why: string): StatusError {
  return new StatusError(403, "Forbidden", `admission webhook "${webhook}" denied the request: ${why}`);
}

/** Decodes, fills in defaults and checks the schema, in the API server's order. */
function mutate(kind: ChaosKind, { object, namespace = "default" }: AdmissionRequest): NewObject {
  const structName = kind.kind;
  const wrong = decodeError(kind.spec, object.spec, "spec", structName);
  if (wrong !== undefined)
    throw new StatusError(400, "", `admission webhook "m${kind.plural}.kb.io" denied the request: ${wrong}`);
  const violations =
    object.spec === undefined || object.spec === null
      ? [{ field: "spec", reason: "FieldValueRequired", message: "Required value" }]
      : schemaViolations(kind.spec, object.spec, "spec");
  if (violations.length > 0)
    throw invalid({ group: chaosGroup, kind: kind.kind }, object.metadata.name ?? "", violations);
  const spec = { ...defaulted(kind.spec, object.spec) };
  spec["selector"] = inNamespace(spec["selector"], namespace);
  const target = asObject(spec["target"]);
  if (target) spec["target"] = { ...target, selector: inNamespace(target["selector"], namespace) };
  return { ...object, spec, status: object["status"] ?? { experiment: {} } };
}

function inNamespace(selector: unknown, namespace: string): object {
  const fields = asObject(selector) ?? {};
  const namespaces = fields["namespaces"];
  return Array.isArray(namespaces) && namespaces.length > 0 ? fields : { ...fields, namespaces: [namespace] };
}

function validate(kind: ChaosKind, { operation, object, old }: AdmissionRequest): void {
  const spec: KubeObject["spec"] = object.spec;
  const webhook = `v${kind.plural}.kb.io`;
  if (operation === "UPDATE") {
    if (old && !jsonEqual(old.spec, spec)) throw deny(webhook, "Cannot update chaos spec");
    return;
  }
  const errors = new FieldErrors();
  checkSelectorValue(errors, spec, kind.selectorPaths);
  if (kind.kind !== "TimeChaos") errors.duration("Spec.Duration", spec.duration);
  kind.validate(spec, errors);
  if (errors.messages.length > 0) throw deny(webhook, errors.text());
}

function reachedNamespaces(spec: KubeObject["spec"]): readonly string[] {
  const of = (selector: unknown): readonly string[] => {
    const { namespaces, pods } = (asObject(selector) ?? {}) as {
      namespaces?: readonly string[];
      pods?: Record<string, unknown>;
    };
    return [...(namespaces ?? []), ...Object.keys(pods ?? {})];
  };
  return [...new Set([...of(spec.selector), ...of(spec.target?.selector)])];
}
