import { badRequest, type Loose, StatusError } from "@microremed/sim-objects";
import jsonpatch from "fast-json-patch";

/** The API server's maxJSONPatchOperations. */
const maxOperations = 10_000;
/** The API server's bound on what all copies of a patch add together, bytes of JSON: each could double the object. */
const maxCopied = 3 * 1024 * 1024;

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
    return applied(target, operations);
  } catch (error) {
    const text = (error as Error).message.split("\n")[0] ?? "";
    throw new StatusError(
      422,
      "Invalid",
      `the server rejected our request due to an error in our request: ${text}`,
    );
  }
}

function applied(target: Loose, operations: readonly Loose[]): Loose {
  let result = jsonpatch.deepClone(target);
  let copied = 0;
  for (const [index, operation] of operations.entries()) {
    if (operation?.op === "copy") copied += sizeAt(result, operation.from);
    if (copied > maxCopied)
      throw new Error(
        `Unable to complete the copy, the accumulated size increase of JSON Patch copy operations is ${copied}, exceeding the limit ${maxCopied}`,
      );
    result = jsonpatch.applyOperation(result, operation, true, true, true, index).newDocument;
  }
  return result;
}

/** Bytes of JSON; of what is not there none, which the operation itself refuses. */
function sizeAt(document: Loose, pointer: unknown): number {
  try {
    const value: unknown = jsonpatch.getValueByPointer(document, String(pointer));
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return 0;
  }
}
