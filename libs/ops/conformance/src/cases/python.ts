import { scripts } from "../area.ts";
import { python } from "../interpreters/python.ts";

export const pythonCases = scripts("Python client", python, {
  "creates, reads, replaces, deletes": `
core.create_namespaced_config_map(ns, config_map("one", a="1"))
one = core.read_namespaced_config_map("one", ns)
one.data["a"] = "2"
assert core.replace_namespaced_config_map("one", ns, one).data == {"a": "2"}
assert core.delete_namespaced_config_map("one", ns).status == "Success"`,
  "knows what is not there": `
try:
    core.read_namespaced_pod("nope", ns)
    assert False
except client.ApiException as error:
    assert error.status == 404 and error.reason == "Not Found", error
    assert json.loads(error.body)["message"] == 'pods "nope" not found', error.body`,
  "knows conflicts": `
old = core.create_namespaced_config_map(ns, config_map("one", a="1"))
core.patch_namespaced_config_map("one", ns, {"data": {"a": "2"}})
try:
    core.replace_namespaced_config_map("one", ns, old)
    assert False
except client.ApiException as error:
    assert error.status == 409, error`,
  "patches in three ways": `
core.create_namespaced_config_map(ns, config_map("one", a="1", b="2"))
assert core.patch_namespaced_config_map("one", ns, {"data": {"a": None}}).data == {"b": "2"}
assert core.patch_namespaced_config_map("one", ns, [{"op": "add", "path": "/data/c", "value": "3"}]).data["c"] == "3"`,
  "lists by label, in pages": `
for name in "abc": core.create_namespaced_config_map(ns, client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"x": "y"})))
page = core.list_namespaced_config_map(ns, label_selector="x=y", limit=2)
rest = core.list_namespaced_config_map(ns, label_selector="x=y", limit=2, _continue=page.metadata._continue)
assert [item.metadata.name for item in page.items + rest.items] == ["a", "b", "c"]`,
  watches: `
core.create_namespaced_config_map(ns, config_map("one"))
seen = []
for event in watch.Watch().stream(core.list_namespaced_config_map, ns, timeout_seconds=5):
    seen.append((event["type"], event["object"].metadata.name))
    if seen[-1] == ("ADDED", "one"): core.delete_namespaced_config_map("one", ns)
    if seen[-1] == ("DELETED", "one"): break
assert seen[-1] == ("DELETED", "one"), seen`,
  "runs a pod, reads its log, executes in it": `
core.create_namespaced_pod(ns, pod("box", "busybox:1.35", ["sh", "-c", "echo hello; sleep 3600"]))
ready(ns, "box")
assert core.read_namespaced_pod_log("box", ns) == "hello\\n"
text = stream.stream(core.connect_get_namespaced_pod_exec, "box", ns, command=["echo", "hi"], stdout=True, stderr=True, stdin=False, tty=False)
assert text == "hi\\n", text`,
  "learns the exit code of a command": `
core.create_namespaced_pod(ns, pod("box", "busybox:1.35", ["sleep", "3600"]))
ready(ns, "box")
ran = stream.stream(core.connect_get_namespaced_pod_exec, "box", ns, command=["sh", "-c", "exit 7"], stdout=True, stderr=True, _preload_content=False)
ran.run_forever(timeout=30)
assert ran.returncode == 7, ran.returncode`,
  "scales and sees the status": `
template = client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels={"app": "web"}), spec=pod("x").spec)
spec = client.V1DeploymentSpec(replicas=1, selector=client.V1LabelSelector(match_labels={"app": "web"}), template=template)
apps.create_namespaced_deployment(ns, client.V1Deployment(metadata=client.V1ObjectMeta(name="web"), spec=spec))
apps.patch_namespaced_deployment_scale("web", ns, {"spec": {"replicas": 2}})
eventually(lambda: apps.read_namespaced_deployment("web", ns).status.ready_replicas == 2)
assert apps.read_namespaced_deployment_scale("web", ns).status.replicas == 2`,
  "evicts a pod": `
core.create_namespaced_pod(ns, pod("web"))
ready(ns, "web")
body = client.V1Eviction(metadata=client.V1ObjectMeta(name="web"))
core.create_namespaced_pod_eviction("web", ns, body)
eventually(lambda: not core.list_namespaced_pod(ns).items)`,
  "asks what it may": `
attributes = client.V1ResourceAttributes(namespace=ns, verb="get", resource="pods")
review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes))
assert client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed`,
  "works without classes": `
dyn = dynamic.DynamicClient(client.ApiClient())
maps = dyn.resources.get(prefix="api", group="", api_version="v1", kind="ConfigMap")
maps.create(body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"a": "1"}}, namespace=ns)
assert maps.get(name="one", namespace=ns).data.a == "1"
assert maps.patch(name="one", namespace=ns, body={"data": {"a": "2"}}, content_type="application/merge-patch+json").data.a == "2"
maps.delete(name="one", namespace=ns)`,
  "a dry run stores nothing": `
core.create_namespaced_config_map(ns, config_map("one"), dry_run="All")
assert [item.metadata.name for item in core.list_namespaced_config_map(ns).items] == ["kube-root-ca.crt"]`,
  "jobs end": `
spec = client.V1PodSpec(restart_policy="Never", containers=[client.V1Container(name="main", image="busybox:1.35", command=["true"])])
batch.create_namespaced_job(ns, client.V1Job(metadata=client.V1ObjectMeta(name="once"), spec=client.V1JobSpec(template=client.V1PodTemplateSpec(spec=spec))))
eventually(lambda: batch.read_namespaced_job("once", ns).status.succeeded == 1)`,
  "every list of the namespace can be read": `
for read in [core.list_namespaced_pod, core.list_namespaced_service, core.list_namespaced_event, core.list_namespaced_endpoints, core.list_namespaced_secret, core.list_namespaced_service_account, core.list_namespaced_persistent_volume_claim, apps.list_namespaced_stateful_set, apps.list_namespaced_daemon_set, apps.list_namespaced_replica_set, batch.list_namespaced_cron_job]: read(ns)
assert core.list_node().items[0].status.node_info.kubelet_version.startswith("v1.")
assert client.VersionApi().get_code().major == "1"`,
});
