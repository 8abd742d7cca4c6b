import { oneOf, terminal } from "@microremed/core";
import type { Method } from "./method.ts";
import { human } from "./methods/human.ts";
import { react } from "./methods/react.ts";
import { soloGen } from "./methods/solo-gen.ts";
import { thinkRemed } from "./methods/think-remed.ts";

/** Every method: one file, one line here. */
export const methods: Readonly<Record<string, Method>> = {
  [soloGen.name]: soloGen,
  [thinkRemed.name]: thinkRemed,
  [react.name]: react,
  [human.name]: human,
};

/** The method of that name; throws `unknown-method` that names the known ones. */
export function methodNamed(name: string): Method {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method) return method;
  const known = Object.keys(methods);
  throw terminal("unknown-method", `no method is called ${JSON.stringify(name)}; known: ${oneOf(known)}`, {
    known,
  });
}
