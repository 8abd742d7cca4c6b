import { badRequest, type Loose, StatusError } from "@microremed/sim-objects";
import jsonpatch from "fast-json-patch";

/** The API server's maxJSONPatchOperations. */
const maxOperations = 10_000;

/** RFC 6902. Throws 400 for a malformed patch and 422 for one that does not apply. */
export function jsonPatch(target: Loose, operations: Loose): Loose {
  if (!Array.isArray(operations)) {
    throw badRequest("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  }
  if (operations.length > maxOperations) {
    throw new StatusError(
      413,
      "RequestEntityTooLarge",
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  try {
    return jsonpatch.applyPatch(target, operations, true, false).newDocument;
  } catch (error) {
    const text = (error as Error).message.split("\n")[0] ?? "";
    throw new StatusError(
      422,
      "Invalid",
      `the server rejected our request due to an error in our request: ${text}`,
    );
  }
}
