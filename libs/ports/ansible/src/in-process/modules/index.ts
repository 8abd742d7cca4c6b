import { ownNamesOnly } from "@microremed/core";
import type { Module } from "../module.types.ts";
import { k8s, k8sInfo, k8sScale } from "./kubernetes.ts";
import { shell } from "./shell.ts";
import { assert, debug, fail, pause } from "./simple.ts";

/** Every module by its full name; `set_fact` and `meta` are the interpreter's own. */
export const modules: Readonly<Record<string, Module>> = ownNamesOnly({
  "ansible.builtin.shell": shell,
  "ansible.builtin.command": shell,
  "ansible.builtin.debug": debug,
  "ansible.builtin.fail": fail,
  "ansible.builtin.assert": assert,
  "ansible.builtin.pause": pause,
  "kubernetes.core.k8s": k8s,
  "kubernetes.core.k8s_info": k8sInfo,
  "kubernetes.core.k8s_scale": k8sScale,
});
