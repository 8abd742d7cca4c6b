import { resolvConf } from "@microremed/sim-machine";
import type { ChaosKind } from "../model/chaos-kind.types.ts";
import { podOf, requireContainer, requirePod, targetOf } from "../model/targets.ts";
import { list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";

/** What chaos-daemon saves of the file that it rewrites, in the container's own layer. */
const backup = "/etc/resolv.conf.chaos.bak";

export const dnsChaos: ChaosKind = {
  kind: "DNSChaos",
  plural: "dnschaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value", "Spec.value"],
  spec: struct("v1alpha1.DNSChaosSpec", {
    ...containerSelectorFields,
    action: required(text("v1alpha1.DNSChaosAction", ["error", "random"])),
    patterns: optional(list(text())),
    ...commonFields,
  }),
  validate: () => {},
  selects: () => "container",
  callMs: [150, 850],
  create: ({ store, machine }) => ({
    apply(object, record) {
      const target = targetOf(record.id);
      requirePod(store, target);
      // resolv.conf belongs to the sandbox: the fault outlives the container.
      const { sandbox, container } = requireContainer(machine, target);
      const { action, patterns = [] } = object.spec;
      sandbox.dnsFault = { owner: object.metadata.uid, action, patterns };
      sandbox.asksChaosDns = true;
      container.files.set(backup, new TextEncoder().encode(`${resolvConf(sandbox)}\n`));
      return { phase: "Injected" };
    },
    recover(object, record) {
      const target = targetOf(record.id);
      const sandbox = podOf(store, target) && machine.byPod(target.namespace, target.pod);
      if (sandbox?.dnsFault?.owner === object.metadata.uid) delete sandbox.dnsFault;
      // A container that was restarted has no backup any more: the pod goes on asking the chaos DNS server.
      const container = sandbox?.containers.get(target.container);
      if (container?.files.delete(backup)) delete sandbox?.asksChaosDns;
      return { phase: "Not Injected" };
    },
  }),
};
