"""Ansible, imported and used once, in a state from which every fork can start as from a fresh `ansible-playbook`."""

import atexit
import importlib
import os
import platform
import re
import sys
import tempfile
import threading
import warnings

from end_process import end_process

IMPORTED_MODULES = (
    *("command", "copy", "file", "stat", "setup", "ping", "slurp", "uri", "wait_for", "lineinfile", "tempfile"),
    *("blockinfile", "replace", "find", "service", "systemd", "get_url", "async_status"),
)
KUBERNETES_MODULES = (
    *("k8s", "k8s_info", "k8s_scale", "k8s_exec", "k8s_log", "k8s_cp", "k8s_drain", "k8s_rollback", "k8s_service"),
    *("k8s_json_patch", "k8s_taint", "k8s_cluster_info"),
)
ACTIONS = (
    *("debug", "command", "shell", "copy", "template", "set_fact", "assert", "fail", "pause", "wait_for_connection"),
    *("include_vars", "gather_facts", "normal", "uri", "raw", "script", "group_by", "add_host", "async_status"),
    *("kubernetes.core.k8s", "kubernetes.core.k8s_info", "kubernetes.core.k8s_scale", "kubernetes.core.k8s_exec"),
)
LOOKUPS = ("items", "list", "dict", "file", "template", "env", "pipe", "sequence", "kubernetes.core.k8s")

PLAYBOOK = """
- hosts: all
  gather_facts: false
  connection: local
  handlers:
    - name: notified
      debug: {msg: notified}
  tasks:
    - set_fact: {colours: [red, green]}
    - debug: {msg: "{{ item | upper | default('none') | to_json | regex_replace('a', 'b') }}"}
      loop: "{{ colours | map('trim') | list }}"
      when: item is match('r') or colours is defined
      changed_when: true
      notify: notified
    - block: [{fail: {msg: expected}}]
      rescue: [{debug: {var: ansible_failed_result.msg}}]
      always: [{assert: {that: colours | length == 2}}]
- hosts: localhost
  gather_facts: false
  tasks: [{debug: {var: inventory_hostname}}]
"""


def preload(directory):
    """Imports Ansible and plays a playbook. `directory` holds ansible.cfg and is the only place written to."""
    import ansible.cli.playbook
    from ansible import constants
    from ansible.plugins import loader

    settings = dict(vars(constants))
    _play_once(ansible.cli.playbook, directory)
    vars(constants).update(settings)
    for plugins, names in (
        (loader.action_loader, ACTIONS),
        (loader.lookup_loader, LOOKUPS),
        (loader.connection_loader, ("local",)),
        (loader.become_loader, ("sudo", "su")),
        (loader.shell_loader, ("sh",)),
    ):
        for name in names:
            plugins.get(name, class_only=True)
    for name in (*IMPORTED_MODULES, *(f"kubernetes.core.{name}" for name in KUBERNETES_MODULES)):
        loader.module_loader.find_plugin_with_context(name, "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _import_modules("ansible.modules", IMPORTED_MODULES)
        _import_modules("ansible_collections.kubernetes.core.plugins.modules", KUBERNETES_MODULES)
        for name in ("kubernetes.client", "kubernetes.dynamic", "kubernetes.stream"):
            _import(name)
    _forget_the_run()
    # A module that is imported, and then run as the main program, would be warned about.
    for name in [name for name in sys.modules if re.match(r"ansible(_collections\..*\.plugins)?\.modules\.", name)]:
        del sys.modules[name]
    if threading.active_count() != 1:
        raise RuntimeError(f"threads are left: {threading.enumerate()}")


def fork_modules():
    """Has modules of local tasks run in forks, with the versions of Ansible whose internals are known."""
    from ansible.release import __version__

    if tuple(int(part) for part in __version__.split(".")[:2]) <= (2, 18):
        import in_process_modules

        in_process_modules.install()


def play(argv):
    """`ansible-playbook` with these arguments; never returns."""
    atexit._clear()
    tempfile.tempdir = None
    sys.dont_write_bytecode = False
    sys.argv = ["/usr/bin/ansible-playbook", *argv[1:]]
    os.environ["_"] = sys.argv[0]
    # Since 2.15 every run configures it.
    warnings.filterwarnings("ignore", message="AnsibleCollectionFinder has already been configured")
    code = 1
    try:
        _configure()
        from ansible.cli.playbook import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    end_process(code)


def _configure():
    """Settings are values computed at import: computes those again that depend on the path of ansible.cfg."""
    from ansible import constants

    config = constants.config
    directory = os.path.dirname(config._config_file)
    config._config_file = os.environ["ANSIBLE_CONFIG"]
    config._parse_config_file()
    for name in config.get_configuration_definitions():
        if directory in str(getattr(constants, name, "")):
            constants.set_constant(name, config.get_config_value(name, variables=vars(constants)))


def _play_once(playbook_cli, directory):
    for name, content in (("playbook.yml", PLAYBOOK), ("inventory.ini", "[k3s_control_plane]\nhost\n")):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(content)
    arguments = ["ansible-playbook", "-i", f"{directory}/inventory.ini", f"{directory}/playbook.yml"]
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        code = playbook_cli.PlaybookCLI(arguments).run()
        sys.stdout.flush()
    finally:
        os.dup2(output, 1)
        os.close(output)
    if code != 0:
        raise RuntimeError(f"the first playbook ended with {code}")


def _forget_the_run():
    from ansible import context
    from ansible.utils import context_objects, display
    from ansible.utils.collection_loader import AnsibleCollectionConfig

    platform._uname_cache = None  # holds this machine's name
    context_objects.GlobalCLIArgs._Singleton__instance = None
    context.CLIARGS = context_objects.CLIArgs({})
    AnsibleCollectionConfig.playbook_paths = []
    shown = display.Display()
    for name in ("_warns", "_deprecations", "_errors"):
        getattr(shown, name, {}).clear()


def _import_modules(package, names):
    for name in names:
        _import(f"{package}.{name}")


def _import(name):
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # Not every version has it; a task that needs it says so itself.
