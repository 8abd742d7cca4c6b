import { environmentOn, renderManifests } from "@microremed/catalogue";
import { Command } from "commander";
import { dump } from "js-yaml";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";

interface Options extends CatalogueOptions {
  readonly namespace?: string;
  readonly loadGenerator?: boolean;
}

export function manifestsCommand(context: Context): Command {
  return new Command("manifests")
    .argument("<environment>", "see `microremed environments`")
    .option(
      "--namespace <name>",
      "namespace of the objects, which is printed with them; default: the environment's own",
    )
    .option(
      "--load-generator",
      "with what sends its load in arenas of a cluster that sends none; nothing more if the system has a generator",
    )
    .addOption(catalogueOption(context))
    .addHelpText("after", "\nExample:\n  microremed manifests online-boutique | kubectl apply -f -")
    .action(async (name: string, options: Options) => {
      const own = (await catalogueOf(context, options, { withoutSuites: true })).environments.get(name);
      const environment = environmentOn({ sendsLoad: options.loadGenerator !== true }, own);
      const namespace = options.namespace ?? environment.namespace;
      // Without it `kubectl apply` refuses everything else.
      const first = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      const objects = [first, ...renderManifests(environment, { namespace })];
      context.terminal.print(objects.map((object) => dump(object, { noRefs: true })).join("---\n"));
    });
}
