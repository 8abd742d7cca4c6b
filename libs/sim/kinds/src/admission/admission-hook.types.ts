import type { KubeObject, NewObject } from "@microremed/sim-objects";
import type { User } from "./user.ts";

/** What is done with the object. Connections, such as exec, are not admitted by hooks. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE";

/** A write that the API server is about to store, as an admission webhook gets it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  /** For DELETE the object that goes. */
  readonly object: NewObject;
  /** The stored object, for UPDATE. */
  readonly old: KubeObject | undefined;
  readonly user: User;
  readonly namespace: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
}

/** A webhook, called in process. All parts may throw StatusError; writes made straight to the store pass none. */
export interface AdmissionHook {
  readonly name: string;
  /** `*`: every group. */
  readonly group: string;
  /** Plural names; `*` matches all of the group. */
  readonly resources: readonly string[];
  /** Runs after defaulting and before validation; returns the object to go on with. */
  mutate?(request: AdmissionRequest): NewObject;
  /** Runs after validation. */
  validate?(request: AdmissionRequest): void;
  /** Runs before an object is deleted by a client. */
  validateDelete?(request: AdmissionRequest): void;
}
