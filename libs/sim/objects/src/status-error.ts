import type { ResourceRef } from "./objects.ts";

/** One `details.causes` entry of a metav1.Status. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A failed API request in Kubernetes' own terms; clients see it as a metav1.Status. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = "StatusError";
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** The metav1.Status object of an error. */
export function toStatus(error: StatusError): Record<string, unknown> {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: error.message,
    ...(error.reason && { reason: error.reason }),
    ...(error.details && { details: error.details }),
    code: error.code,
  };
}

/** `deployments.apps`, or `pods` for the core group. */
export function qualified(ref: ResourceRef): string {
  return ref.group === "" ? ref.resource : `${ref.resource}.${ref.group}`;
}

function about(ref: ResourceRef, name: string): StatusDetails {
  return { ...(name && { name }), ...(ref.group && { group: ref.group }), kind: ref.resource };
}

/** 404 for an object that is not stored. */
export function notFound(ref: ResourceRef, name: string): StatusError {
  return new StatusError(404, "NotFound", `${qualified(ref)} "${name}" not found`, about(ref, name));
}

/** 409 for a create under a name that is taken. */
export function alreadyExists(ref: ResourceRef, name: string): StatusError {
  return new StatusError(
    409,
    "AlreadyExists",
    `${qualified(ref)} "${name}" already exists`,
    about(ref, name),
  );
}

/** 409 for a write that meets another state than it expects. */
export function conflict(ref: ResourceRef, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(ref)} "${name}": ${why}`;
  return new StatusError(409, "Conflict", message, about(ref, name));
}

/** The `why` of a conflict over resourceVersion, in Kubernetes' words. */
export const modifiedSinceRead =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 403 for what admission, a quota or the user's rights do not allow; `name` may be empty. */
export function forbidden(ref: ResourceRef, name: string, why: string): StatusError {
  const message = name
    ? `${qualified(ref)} "${name}" is forbidden: ${why}`
    : `${qualified(ref)} is forbidden: ${why}`;
  return new StatusError(403, "Forbidden", message, about(ref, name));
}

/** 400 for a request that could not be read. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/** 422 with one cause per broken field, worded as field errors print. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const title = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  const texts = causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message));
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new StatusError(422, "Invalid", `${title} "${name}" is invalid: ${list}`, {
    name,
    ...(kind.group && { group: kind.group }),
    kind: kind.kind,
    causes,
  });
}

/** 410 for a list or watch from a resource version that is no longer kept: the client must list again. */
export function expired(wanted: number, oldest: number): StatusError {
  return new StatusError(410, "Expired", `too old resource version: ${wanted} (${oldest})`);
}
