"""Modules of local tasks run in a forked process instead of a new Python.

Ansible packs a module and its imports into a program, writes it to a file and has a shell start a new interpreter for
it. Where the interpreter would be this very one, on this very host, a fork that runs the same module under the name
`__main__` gives the same answer and has everything imported. All that differs (another host, user, interpreter,
overridden module_utils, asynchronous tasks, modules that are no part of an installed package) takes Ansible's own way.
"""

import atexit
import importlib.util
import io
import json
import os
import runpy
import selectors
import signal
import sys
import traceback

from ansible import constants as C
from ansible.errors import AnsibleError
from ansible.executor import module_common
from ansible.module_utils import basic
from ansible.module_utils._text import to_native, to_text
from ansible.module_utils.common import warnings as module_warnings
from ansible.module_utils.common.json import AnsibleJSONEncoder
from ansible.plugins.action import ActionBase
from ansible.plugins.connection.local import Connection as LocalConnection
from ansible.plugins.loader import module_utils_loader
from end_process import end_process

MODULE_UTILS = os.path.dirname(basic.__file__)
# Read by an interpreter when it starts, which a fork does not do again.
START_UP_VARIABLES = ("PYTHON", "LD_", "LANG", "LC_", "ANSIBLE_")


class ForkedModule:
    """Takes the place of the program that Ansible would pipe to an interpreter."""

    def __init__(self, name, path, params, environment):
        self.name = name
        self.path = path
        self.params = params
        self.environment = environment


def install():
    """Replaces four methods of ActionBase. They fall through to Ansible's own wherever a fork would not be the same."""
    execute_module = ActionBase._execute_module
    configure_module = ActionBase._configure_module
    is_pipelining_enabled = ActionBase._is_pipelining_enabled
    low_level_execute_command = ActionBase._low_level_execute_command

    def _execute_module(self, module_name=None, module_args=None, *args, **kwargs):
        task_vars = kwargs.get("task_vars") or {}
        usable = not args and not kwargs.get("wrap_async")
        self._forked = find(self, module_name or self._task.action, task_vars) if usable else None
        try:
            return execute_module(self, module_name, module_args, *args, **kwargs)
        finally:
            self._forked = None

    def _is_pipelining_enabled(self, module_style, wrap_async=False):
        return bool(getattr(self, "_forked", None)) or is_pipelining_enabled(self, module_style, wrap_async)

    def _configure_module(self, module_name, module_args, task_vars):
        found = getattr(self, "_forked", None)
        if not found:
            return configure_module(self, module_name, module_args, task_vars)
        name, path, environment = found
        try:
            params = json.dumps({"ANSIBLE_MODULE_ARGS": module_args}, cls=AnsibleJSONEncoder, vault_to_text=True)
        except TypeError as error:
            raise AnsibleError(
                "Unable to pass options to module, they must be JSON serializable: %s" % to_native(error)
            )
        module = ForkedModule(name, path, params.encode(), environment)
        return ("new", f"#!{sys.executable}", module, path)

    def _low_level_execute_command(self, cmd, *args, **kwargs):
        module = kwargs.get("in_data")
        if not isinstance(module, ForkedModule):
            return low_level_execute_command(self, cmd, *args, **kwargs)
        code, stdout, stderr = run(module, self._loader.get_basedir())
        out = self._strip_success_message(to_text(stdout, errors="surrogate_then_replace"))
        err = to_text(stderr, errors="surrogate_then_replace")
        return dict(rc=code, stdout=out, stdout_lines=out.splitlines(), stderr=err, stderr_lines=err.splitlines())

    ActionBase._execute_module = _execute_module
    ActionBase._is_pipelining_enabled = _is_pipelining_enabled
    ActionBase._configure_module = _configure_module
    ActionBase._low_level_execute_command = _low_level_execute_command


def find(action, module_name, task_vars):
    """(importable name, path, environment) of a module that may be forked, else None: Ansible then does as it does."""
    try:
        return _find(action, module_name, task_vars)
    except Exception:  # Ansible's own way meets the same problem, and words it.
        return None


def _find(action, module_name, task_vars):
    connection = action._connection
    if type(connection) is not LocalConnection or connection.become or action._task.async_val:
        return None
    if connection._shell.SHELL_FAMILY != "sh" or action._play_context.executable != C.DEFAULT_EXECUTABLE:
        return None
    if C.DEFAULT_KEEP_REMOTE_FILES or C.config.get_config_value("PYTHON_MODULE_RLIMIT_NOFILE", variables=task_vars):
        return None
    delegate = action._task.delegate_to
    use_vars = task_vars["ansible_delegated_vars"][delegate] if delegate else task_vars
    interpreter = C.config.get_config_value("INTERPRETER_PYTHON", variables=use_vars)
    if action._templar.template(interpreter) != sys.executable:
        return None
    remote_tmp = action.get_shell_option("remote_tmp", default="~/.ansible/tmp")
    if not os.path.isdir(os.path.expanduser(remote_tmp)):
        return None
    overrides = module_utils_loader._get_paths(subdirs=False)
    if any(os.path.isdir(path) and path != MODULE_UTILS for path in overrides):
        return None
    environment = {}
    action._compute_environment_string(environment)
    if any(str(name).startswith(START_UP_VARIABLES) for name in environment):
        return None
    loader = action._shared_loader_obj.module_loader
    found = loader.find_plugin_with_context(module_name, "", collection_list=action._task.collections)
    path = found.plugin_resolved_path
    if not found.resolved or not path:
        return None
    name = module_common._get_ansible_module_fqn(path)
    if not _is_installed_python_module(name, path):
        return None
    return name, path, {str(key): str(value) for key, value in environment.items()}


_checked = {}


def _is_installed_python_module(name, path):
    if path not in _checked:
        with open(path, "rb") as file:
            source = file.read()
        spec = importlib.util.find_spec(name)
        _checked[path] = (
            (not source.startswith(b"#!") or source.startswith(b"#!/usr/bin/python\n"))
            and module_common.REPLACER not in source
            and bool(module_common.NEW_STYLE_PYTHON_MODULE_RE.search(source))
            and spec is not None
            and spec.origin == path
        )
    return _checked[path]


def run(module, directory):
    """(exit code, stdout, stderr) of a module."""
    pipes = [os.pipe(), os.pipe()]
    child = os.fork()
    if child == 0:
        try:
            for target, (_, write) in enumerate(pipes, 1):
                os.dup2(write, target)
            _become_module(module, directory)
        finally:
            os._exit(1)
    for _, write in pipes:
        os.close(write)
    outputs = _read_all([read for read, _ in pipes])
    return (os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *outputs)


def _read_all(descriptors):
    chunks = {descriptor: [] for descriptor in descriptors}
    with selectors.DefaultSelector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                chunk = os.read(key.fd, 65536)
                if chunk:
                    chunks[key.fd].append(chunk)
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return [b"".join(chunks[descriptor]) for descriptor in descriptors]


def _become_module(module, directory):
    """Makes of this fork what a new interpreter with this module would be; never returns."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(3, 4096)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    atexit._clear()
    os.chdir(directory)
    os.environ.update(module.environment)
    errors = sys.__stdout__.errors
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(open(0, "rb"), encoding="utf-8", errors=errors)
    sys.stdout = sys.__stdout__ = io.TextIOWrapper(open(1, "wb"), encoding="utf-8", errors=errors)
    sys.stderr = sys.__stderr__ = io.TextIOWrapper(open(2, "wb"), encoding="utf-8", errors="backslashreplace")
    module_warnings._global_warnings.clear()
    module_warnings._global_deprecations.clear()
    sys.argv = [module.path]
    del sys.path[0]  # the directory of ansible-playbook
    sys.modules.pop(module.name, None)
    basic._ANSIBLE_ARGS = module.params
    # Modules that look for another interpreter start it with this as the place of their imports.
    library = os.path.dirname(os.path.dirname(MODULE_UTILS))
    code = 1
    try:
        named = {"_module_fqn": module.name, "_modlib_path": library}
        runpy.run_module(module.name, init_globals=named, run_name="__main__", alter_sys=True)
        print('{"msg": "New-style module did not handle its own exit", "failed": true}')
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    end_process(code)
