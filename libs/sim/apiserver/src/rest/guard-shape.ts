import { badRequest } from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";

/**
 * Runs the checks of a sent object. Where a kind's fields are not described in full, a value of a wrong type shows
 * only when it is used: that is the client's fault, as it is where Go cannot decode it, and becomes a 400.
 */
export function guardShape<T>(context: ApiContext, { type }: Call, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    context.log.debug({ err: error, kind: type.kind }, "refused an object of a wrong shape");
    throw badRequest(
      `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: json: cannot unmarshal a value of a wrong type into Go struct ${type.kind}`,
    );
  }
}
