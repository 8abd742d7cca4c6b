import { kinds, nameServerConfig } from "@microremed/cluster";
import { manifestOf } from "../field-change.ts";
import { kubectl, type Remedy, type RemedyContext, withObject } from "../remedy.ts";
import type { Runbook } from "../runbook.ts";
import { serviceOf } from "../target-services.ts";
import { zoneOf } from "./name-rules.ts";

const { namespace: systems, name, key } = nameServerConfig;

/** A program of awk that leaves out directives and server blocks with a text, whose dots may be escaped. */
const leaveOut = [
  'function mentions(line) { gsub(/\\\\/, "", line); return index(line, gone) > 0 }',
  "function show(text) { if (!skipped) print text }",
  "depth == 0 { if ($0 ~ /[{][ \\t]*$/) { skipped = mentions($0); depth = 1 } show($0); next }",
  'depth == 1 && $1 == "}" { show($0); skipped = 0; depth = 0; next }',
  "depth == 1 { unit = $0; hit = mentions($0); if ($0 ~ /[{][ \\t]*$/) depth = 2; else if (!hit) show(unit); next }",
  '{ unit = unit "\\n" $0; if (mentions($0)) hit = 1; if ($1 == "}") { if (!hit) show(unit); depth = 1 } }',
].join(" ");

/** Commands that send the Corefile through a filter of lines: a JSON string is made of what it prints. */
export const filterCorefile = (filter: string): string[] => [
  `corefile=$(kubectl -n ${systems} get configmap ${name} -o jsonpath='{.data.${key}}' | ${filter} | sed -e 's/\\\\/\\\\\\\\/g' -e 's/"/\\\\"/g' | awk 'BEGIN { ORS = "\\\\n" } 1')`,
  `kubectl -n ${systems} patch configmap ${name} --type=merge -p "{\\"data\\":{\\"${key}\\":\\"$corefile\\"}}"`,
];

/** Commands that take the rules about a namespace's names out of the Corefile, which its name server then reads by itself. */
const dropNameRules = ({ namespace }: Pick<RemedyContext, "namespace">): string[] =>
  filterCorefile(`awk -v gone='${namespace}.svc' '${leaveOut}'`);

/** The expert's fix. */
export const dropRule: Remedy = {
  name: "drop-rule",
  doc: "the expert's fix: takes the rule out of the Corefile; the name server reads it within two minutes",
  commands: dropNameRules,
};

/** An answer with another code has no address either. */
export const otherCode: Remedy = {
  name: "other-code",
  doc: "lets the rule answer with another code, and logs what is asked",
  commands: () =>
    filterCorefile(`awk '$1 == "errors" { print "    log" } { sub(/NXDOMAIN/, "SERVFAIL"); print }'`),
};

/** A new Service has the name of the old one. */
export const serviceAgain: Remedy = {
  name: "service-again",
  doc: "deletes the Service and applies its manifest: its name is what it was",
  commands: (context) => {
    const service = serviceOf(context)?.name ?? "";
    const manifest = manifestOf(context.environment, kinds.service, service);
    return [
      `${kubectl(context)} delete service ${service}`,
      ...(manifest
        ? withObject(context, "apply", {
            ...manifest,
            metadata: { ...manifest.metadata, namespace: context.namespace },
          })
        : []),
    ];
  },
};

/** An end of a block that is missing: the name server goes on as before. */
export const breakCorefile: Remedy = {
  name: "break-corefile",
  doc: "takes the rule out together with the end of its block: the name server cannot read the file, and goes on as before",
  commands: ({ namespace }) =>
    filterCorefile(`awk -v gone='${namespace}.svc' '${leaveOut}' | sed -E '$ s/}//'`),
};

/** Takes the rules out that were found. */
export const mendNames: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get services`,
  act: (found) => ({
    title: `Let the name server answer for ${zoneOf(found.namespace)}`,
    commands: dropNameRules(found),
  }),
};
