import type { KubeObject, NewObject } from "@microremed/sim-objects";
import type { User } from "./user.ts";

/** A write that the API server is about to store, as an admission webhook gets it. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE";
  readonly object: NewObject;
  /** The stored object, for UPDATE. */
  readonly old: KubeObject | undefined;
  readonly user: User;
  readonly namespace: string | undefined;
  readonly group: string;
  readonly resource: string;
}

/** A webhook, called in process. Both parts may throw StatusError; writes made straight to the store pass none. */
export interface AdmissionHook {
  readonly name: string;
  readonly group: string;
  /** Plural names; `*` matches all of the group. */
  readonly resources: readonly string[];
  /** Runs after defaulting and before validation; returns the object to go on with. */
  mutate?(request: AdmissionRequest): NewObject;
  /** Runs after validation. */
  validate?(request: AdmissionRequest): void;
}
