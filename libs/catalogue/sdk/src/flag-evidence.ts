import { isJsonObject, parseJson } from "@microremed/core";
import { printedBy, shellCall } from "./evidence/common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy, type Finding } from "./evidence/evidence.ts";
import { flagsIn } from "./flag-file.ts";

/** A line for each ConfigMap with a file of flags: its name and its data as JSON. */
const flagFiles = shellCall(
  `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.data}{"\\n"}{end}' | grep defaultVariant`,
);

/** A flag that is on in the file that flagd is given; `program`: the workload whose flag it is. */
export const flagEvidence = (flag: string, program: string, labels: CauseLabels): Evidence =>
  evidenceBy([flagFiles], ([listed = ""]) =>
    printedBy(listed)
      .split("\n")
      .flatMap((line): Finding[] => {
        const [, name = "", json = ""] = /^(\S+) (\{.*\})$/.exec(line.trim()) ?? [];
        return filesIn(json).flatMap(([key, text]): Finding[] => {
          const found = flagsIn(text)[flag];
          const off = found?.variants.find((variant) => variant === "off");
          if (!found?.isOn || off === undefined) return [];
          return [
            {
              object: { kind: "ConfigMap", name },
              field: `data.${key}.flags.${flag}.defaultVariant`,
              wrong: found.right,
              right: off,
              workload: program,
              seen: "cause",
              ...labels,
            },
          ];
        });
      }),
  );

function filesIn(json: string): [string, string][] {
  const data = parseJson(json);
  return Object.entries(isJsonObject(data) ? data : {}).filter(
    (one): one is [string, string] => typeof one[1] === "string",
  );
}
