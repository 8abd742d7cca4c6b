import {
  addressVariables,
  containerPath,
  jsonPatch,
  type Remedy,
  rollOut,
  targetOf,
} from "@microremed/catalogue";

export const emptyVariable: Remedy = {
  name: "empty-variable",
  doc: "sets the variable, to nothing",
  commands: (context) => {
    const place = targetOf(context.environment, context.target);
    const [variable] = place ? addressVariables(place) : [];
    const value = { name: variable?.name, value: "" };
    return [
      jsonPatch(context, [{ op: "add", path: `${containerPath(context)}/env/-`, value }]),
      ...rollOut(context),
    ];
  },
};
