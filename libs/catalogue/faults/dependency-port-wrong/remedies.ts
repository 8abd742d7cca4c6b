import {
  addressVariables,
  containerPath,
  jsonPatch,
  plainVariables,
  type Remedy,
  rollOut,
  targetOf,
} from "@microremed/catalogue";

export const otherPort: Remedy = {
  name: "other-port",
  doc: "gives the program another wrong port",
  commands: (context) => {
    const place = targetOf(context.environment, context.target);
    const [variable] = place ? addressVariables(place) : [];
    const value = (place ? (plainVariables(place) ?? []) : []).map((one) =>
      one.name === variable?.name ? { ...one, value: one.value.replace(/:\d+/, ":1") } : one,
    );
    return [
      jsonPatch(context, [{ op: "replace", path: `${containerPath(context)}/env`, value }]),
      ...rollOut(context),
    ];
  },
};
