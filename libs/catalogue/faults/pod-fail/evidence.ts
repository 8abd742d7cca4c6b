import {
  actsOn,
  type CauseLabels,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const templates =
  '{range .items[*]}T {.kind}/{.metadata.name} {.spec.template.spec.containers[*].image}{"\\n"}{end}';
const pods =
  '{range .items[*]}P {.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name} {.spec.containers[*].image}{"\\n"}{end}';

/** A line for each pod whose images are not those of its ReplicaSet or StatefulSet: the owner, the images. */
const unlikeTemplate = shellCall(
  `{ kubectl get rs,sts,ds -o jsonpath='${templates}'; kubectl get pods -o jsonpath='${pods}'; } | awk '{ what = $1; owner = $2; $1 = ""; $2 = "" } what == "T" { images[owner] = $0 } what == "P" && (owner in images) && images[owner] != $0 { print owner $0 }'`,
);

/** A pod's images can be changed while it runs: then they are not those of the template that it was made from. */
export const foreignImages = (labels: CauseLabels): Evidence =>
  evidenceBy([unlikeTemplate], ([list = ""]) =>
    [...list.matchAll(/^([A-Z][A-Za-z]+\/\S+) +\S/gm)].flatMap(([, owner = ""]) => {
      const workload = workloadOfOwner(owner);
      return workload ? [actsOn(workload, labels)] : [];
    }),
  );
