import {
  isRecord,
  type KubeObject,
  type Loose,
  type NewObject,
  type ResourceRef,
  resources,
  StatusError,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { defaultObject } from "../../defaults/default-object.ts";
import { jsonPatch } from "../../patch/json-patch.ts";
import type { AdmissionHook, AdmissionRequest } from "../admission-hook.types.ts";
import { isMeant, type SelectableWrite } from "./is-meant.ts";

/** What a webhook is asked: the `request` of an AdmissionReview, without what no program here reads. */
export interface WebhookRequest extends SelectableWrite {
  readonly kind: string;
  readonly name: string;
  readonly user: AdmissionRequest["user"];
}

/** The `response` of an AdmissionReview. */
export interface WebhookResponse {
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  /** Operations of a JSON patch. */
  readonly patch?: readonly object[];
}

/** Where a webhook is, as its configuration says. */
export interface WebhookClient {
  readonly url?: string;
  /** Authorities that may have signed the server's certificate, PEM in base64. */
  readonly caBundle?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
}

/** A server answered, and with no review: what a client of the API server makes of it. */
export interface WebhookError {
  readonly error: string;
}

/**
 * Asks a webhook, which has so many milliseconds. The answer, or why there is none: in the words of Go's HTTP client where the server was
 * not reached.
 */
export type CallWebhook = (
  client: WebhookClient,
  request: WebhookRequest,
  timeoutMs: number,
) => WebhookResponse | WebhookError | string;

export interface WebhookAdmissionDeps {
  readonly store: Pick<Store, "list" | "get">;
  readonly call: CallWebhook;
}

type Kind = "mutating" | "validating";
const configurations = (kind: Kind): ResourceRef => ({
  group: "admissionregistration.k8s.io",
  resource: `${kind}webhookconfigurations`,
});

/**
 * The plug-ins MutatingAdmissionWebhook and ValidatingAdmissionWebhook: they ask the webhooks of all configurations that mean
 * a write, those of a configuration in their order, configurations by name. A call takes no time.
 */
export function webhookAdmission({ store, call }: WebhookAdmissionDeps): AdmissionHook {
  const webhooksFor = (kind: Kind, write: SelectableWrite): Loose[] =>
    store
      .list(configurations(kind))
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
      .flatMap((configuration): Loose[] => (configuration["webhooks"] as Loose[] | undefined) ?? [])
      .filter((webhook) =>
        isMeant(webhook, write, (name) => store.get(resources.namespaces, undefined, name)?.metadata.labels),
      );

  /** Undefined: it could not be asked, and that is to be ignored. */
  function ask(webhook: Loose, request: WebhookRequest): WebhookResponse | undefined {
    const answer = call(webhook.clientConfig, request, timeoutOf(webhook) * 1000);
    if (typeof answer === "string" || "error" in answer) {
      if (webhook.failurePolicy === "Ignore") return undefined;
      throw failedCall(webhook, answer);
    }
    if (!answer.allowed) throw denial(webhook.name, answer.status ?? {});
    return answer;
  }

  /** The object as a webhook wants it. */
  function changedBy(webhook: Loose, request: AdmissionRequest, object: NewObject): NewObject {
    const { patch } = ask(webhook, requestOf({ ...request, object })) ?? {};
    if (!patch || patch.length === 0) return object;
    const patched: NewObject = jsonPatch(object, patch);
    return defaultObject({ group: request.group, resource: request.resource }, patched);
  }

  function mutate(request: AdmissionRequest): NewObject {
    let { object } = request;
    const asked: { webhook: Loose; later: boolean }[] = [];
    for (const webhook of webhooksFor("mutating", writeOf(request))) {
      const next = changedBy(webhook, request, object);
      // What comes after it has changed what it saw.
      if (next !== object) for (const one of asked) one.later = true;
      asked.push({ webhook, later: false });
      object = next;
    }
    for (const { webhook, later } of asked)
      if (later && webhook.reinvocationPolicy === "IfNeeded") object = changedBy(webhook, request, object);
    return object;
  }

  function validate(request: AdmissionRequest): void {
    const write = writeOf(request);
    for (const webhook of webhooksFor("validating", write)) ask(webhook, requestOf(request));
  }

  return {
    name: "webhooks",
    group: "*",
    resources: ["*"],
    mutate,
    validate,
    validateDelete: validate,
  };
}

function writeOf({ object, old, operation, ...request }: AdmissionRequest): SelectableWrite {
  const { apiVersion = "v1" } = object as { readonly apiVersion?: string };
  return {
    operation,
    group: request.group,
    version: apiVersion.split("/").at(-1) ?? "",
    resource: request.resource,
    subresource: request.subresource,
    namespace: request.namespace ?? object.metadata.namespace,
    object: operation === "DELETE" ? undefined : object,
    old: operation === "DELETE" ? (object as KubeObject) : old,
  };
}

const requestOf = (request: AdmissionRequest): WebhookRequest => ({
  ...writeOf(request),
  kind: request.object.kind,
  name: request.object.metadata.name ?? "",
  user: request.user,
});

/** Where it was asked, as the API server writes it. */
function addressOf(client: Loose): string {
  if (!isRecord(client)) return "";
  const { url, service } = client as Loose;
  if (typeof url === "string") return url;
  const path = String(service?.path ?? "").replace(/^\/?/, "/");
  return `https://${service?.name}.${service?.namespace}.svc:${service?.port ?? 443}${path === "/" ? "" : path}`;
}

/** In seconds. */
const timeoutOf = ({ timeoutSeconds = 10 }: Loose): number => timeoutSeconds;

function failedCall(webhook: Loose, why: string | WebhookError): StatusError {
  const address = `${addressOf(webhook.clientConfig)}?timeout=${timeoutOf(webhook)}s`;
  const said = typeof why === "string" ? `Post "${address}": ${why}` : why.error;
  const message = `failed calling webhook "${webhook.name}": failed to call webhook: ${said}`;
  const causes = [{ reason: "", message }];
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, { causes });
}

function denial(
  name: string,
  { code = 0, message = "", reason = "" }: NonNullable<WebhookResponse["status"]>,
) {
  const by = `admission webhook "${name}" denied the request`;
  const said = message || reason;
  return new StatusError(
    Math.max(code, 400),
    reason,
    said === "" ? `${by} without explanation` : `${by}: ${said}`,
  );
}
