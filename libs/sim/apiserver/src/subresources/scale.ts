import {
  type CustomType,
  invalidValue,
  labelsText,
  parseJsonPath,
  selectorText,
} from "@microremed/sim-kinds";
import {
  badRequest,
  invalid,
  isRecord,
  type KubeObject,
  type Loose,
  type NewObject,
} from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import { mediaType } from "../http/body.ts";
import type { Reply } from "../http/respond.ts";
import { dropNulls } from "../rest/incoming.ts";
import { patched } from "../rest/patch.ts";
import { requireObject } from "../rest/read.ts";
import { updateTo } from "../rest/update.ts";

const first = (path: string | undefined, object: KubeObject): Loose =>
  path === undefined ? undefined : parseJsonPath(path)?.(object)[0];

function scaleOf(object: KubeObject, custom: CustomType["scale"]): Loose {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  const head = { kind: "Scale", apiVersion: "autoscaling/v1", metadata };
  if (custom) {
    const selector = first(custom.labelSelectorPath, object);
    return {
      ...head,
      spec: { replicas: first(custom.specReplicasPath, object) ?? 0 },
      status: { replicas: first(custom.statusReplicasPath, object) ?? 0, ...(selector && { selector }) },
    };
  }
  const selector = object.spec?.selector;
  const labels = object.kind === "ReplicationController" ? selector : selector?.matchLabels;
  const text = selector?.matchExpressions ? selectorText(selector) : labelsText(labels);
  return {
    ...head,
    spec: { replicas: object.spec?.replicas ?? 0 },
    status: { replicas: object.status?.replicas ?? 0, selector: text },
  };
}

function withNumber(value: Loose, [step, ...rest]: readonly string[], number: number): Loose {
  return step === undefined ? number : { ...value, [step]: withNumber(value?.[step], rest, number) };
}

function scaledTo(context: ApiContext, call: Call, old: KubeObject, scale: Loose): Reply {
  const replicas = isRecord(scale["spec"]) ? (scale["spec"]["replicas"] ?? 0) : 0;
  if (!Number.isInteger(replicas)) {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, old.metadata.name, [
      invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const resourceVersion: string | undefined = scale["metadata"]?.resourceVersion;
  const custom = call.type.custom?.scale;
  const steps = (custom?.specReplicasPath ?? ".spec.replicas").split(".").slice(1);
  const next = {
    ...withNumber(old, steps, replicas),
    metadata: { ...old.metadata, resourceVersion: resourceVersion || old.metadata.resourceVersion },
  } as NewObject;
  const written = updateTo(context, call, old, next);
  return { status: 200, body: scaleOf(written, custom) };
}

export async function handleScale(context: ApiContext, call: Call, verb: string): Promise<Reply> {
  if (verb === "get")
    return { status: 200, body: scaleOf(requireObject(context, call), call.type.custom?.scale) };
  const body = await call.body();
  const old = requireObject(context, call);
  if (verb === "update") {
    const scale: Loose = dropNulls(body);
    if (!isRecord(scale)) throw badRequest("a Scale object is expected");
    return scaledTo(context, call, old, scale);
  }
  const type = mediaType(call.request.headers["content-type"]);
  const scale = patched(call.type, "Scale", type, scaleOf(old, call.type.custom?.scale), body);
  if (!isRecord(scale)) throw badRequest("a Scale object is expected");
  return scaledTo(context, call, old, scale);
}
