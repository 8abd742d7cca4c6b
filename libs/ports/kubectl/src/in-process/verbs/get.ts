import { type Call, flagOf, isSet } from "../call.ts";
import { asKubectlFailure, KubectlFailure } from "../failures.ts";
import { printAs, printTable } from "../print-objects.ts";
import { resourceName } from "../resources.ts";
import { findObjects, readSelection } from "../select-objects.ts";
import { sortObjects } from "../sort-objects.ts";

export async function get(call: Call): Promise<string> {
  const selection = readSelection(call.operands, call.custom);
  const output = flagOf(call, "output") ?? "table";
  if (output !== "table" && output !== "wide") {
    const objects = await findObjects(call, selection);
    if (objects.length === 0 && isSet(call, "ignore-not-found") && selection.names.length > 0) return "";
    const inOrder = sortObjects(objects, flagOf(call, "sort-by"), (object) => object);
    return printAs(call, output, inOrder, selection.names.length === 1);
  }
  const { cluster, namespace } = call;
  const labelSelector = flagOf(call, "selector");
  const fieldSelector = flagOf(call, "field-selector");
  const scope = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  const asked =
    selection.names.length > 0 ? selection.names : selection.kinds.map((kind) => ({ kind, name: undefined }));
  const tables = [];
  for (const { kind, name } of asked) {
    try {
      const table = await cluster.table(kind, { ...scope, ...(name !== undefined && { name }) });
      tables.push({ ...table, prefix: resourceName(kind, "") });
    } catch (error) {
      const failure = asKubectlFailure(error);
      const absent = failure instanceof KubectlFailure && failure.message.includes("(NotFound)");
      if (!(absent && isSet(call, "ignore-not-found"))) throw failure;
    }
  }
  return printTable(call, tables) || (selection.names.length > 0 ? "" : nothingFound(call));
}

/** Said on stderr by the real one. */
function nothingFound({ namespace, flags }: Call): string {
  if (flags.has("ignore-not-found")) return "";
  return namespace === undefined ? "No resources found\n" : `No resources found in ${namespace} namespace.\n`;
}
