"""Run something in the place of another process: in its sandbox, with its limits, its environment and its output.

The other process (the "holder") is inside a sandbox that another process built and that this code knows nothing about.
Whatever confines the holder is read from the kernel and taken over, then compared from outside, line by line, before
anything is run. So a program that is run here is as confined as one that the holder would have started itself, and a
sandbox that cannot be taken over whole is refused.
"""

import ctypes
import fcntl
import os
import resource
import socket
import struct

libc = ctypes.CDLL(None, use_errno=True)

NS_GET_USERNS = 0xB701
PIDFD_GETFD = 438  # the same on every architecture
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
SIGKILL = 9

ENTERED = ("ipc", "uts", "net", "cgroup", "mnt", "pid")
COMPARED_NAMESPACES = ("user", *ENTERED, "time")
COMPARED_STATUS = (
    *("Uid", "Gid", "Groups", "Umask", "NoNewPrivs", "Seccomp", "Seccomp_filters"),
    *("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "Cpus_allowed", "Mems_allowed"),
)
LIMITS = sorted({value for name, value in vars(resource).items() if name.startswith("RLIMIT_")})


class Refused(Exception):
    """The holder's place cannot be taken; nothing has been run."""


def run_in_place_of(holder, system_calls, check, program, on_start):
    """Forks a process that is where process `holder` is and calls `program()`; returns its exit code as a shell's.

    `system_calls` is the compiled filter that the holder has: the kernel shows that there is one, not which.
    `check` is called inside with the holder's environment and may refuse; `on_start` when the place has been taken,
    right before the program. This process itself stays inside the sandbox, and must do nothing more but end.
    """
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    pidfd = os.pidfd_open(holder)
    # Its stdout goes to the same place, but not while its shell writes to us.
    output = _checked(libc.syscall(PIDFD_GETFD, pidfd, 2, 0), "pidfd_getfd")
    limits = [(limit, resource.prlimit(holder, limit)) for limit in LIMITS]
    umask = int(_status(proc, holder)["Umask"], 8)
    environment = _environment(proc, holder)
    _join_control_groups(holder)
    _enter(holder)
    check(environment)

    inside, outside = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            _take_place(output, limits, umask, environment, system_calls, inside)
            inside.close()
            program()
        finally:
            os._exit(1)
    inside.close()
    try:
        if outside.recv(1) != b"!":
            raise Refused("the process ended while it took the place")
        _compare(proc, child, holder)
        drop_capabilities()
        on_start()
    except BaseException:
        os.kill(child, SIGKILL)
        os.waitpid(child, 0)
        raise
    outside.sendall(b"!")
    for fd in (proc, pidfd, output):
        os.close(fd)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


def forbid_new_privileges():
    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def drop_capabilities():
    """Gives up all capabilities, also those that programs could bring."""
    capability = 0
    while libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    forbid_new_privileges()


def hide_start(command_line):
    """Replaces what /proc shows of how this process was started, for its forks too: paths of the machine, and its environment."""
    environment = dict(os.environb)
    os.environ.clear()  # the C library then keeps copies of its own
    os.environb.update(environment)
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    arg_start, arg_end, env_start, env_end = (int(field) for field in fields[45:49])
    if not (0 < arg_start < arg_end <= env_start < env_end):
        raise OSError("the kernel does not show where the command line is")
    ctypes.memset(env_start, 0, env_end - env_start)
    ctypes.memset(arg_start, 0, arg_end - arg_start)
    ctypes.memmove(arg_start, command_line[: arg_end - arg_start - 1], min(len(command_line), arg_end - arg_start - 1))


def _join_control_groups(holder):
    """Goes where the kernel counts what the holder uses; the fork inherits it. What was used before stays counted elsewhere."""
    own, wanted = _control_groups("self"), _control_groups(holder)
    with open("/proc/self/mountinfo") as file:
        mounts = [line.split(" - ") for line in file]
    for key in (key for key in wanted if own.get(key) != wanted[key]):
        _, controllers = key
        for before, after in mounts:
            root, mount = before.split()[3:5]
            kind, _, options = after.split()[:3]
            named = set(controllers.split(",")) <= set(options.split(","))
            is_it = kind == "cgroup2" if controllers == "" else kind == "cgroup" and named
            if is_it and (root == "/" or wanted[key].startswith(root)):
                path = mount + (wanted[key] if root == "/" else wanted[key][len(root):])
                with open(f"{path}/cgroup.procs", "w") as procs:
                    procs.write(str(os.getpid()))
                break


def _control_groups(pid):
    """(number, controllers) of each hierarchy -> path there."""
    with open(f"/proc/{pid}/cgroup") as file:
        lines = [line.rstrip("\n").split(":", 2) for line in file]
    return {(number, controllers): path for number, controllers, path in lines}


def _enter(holder):
    """Joins all namespaces of the holder, its root directory and its working directory."""
    namespaces = {name: os.open(f"/proc/{holder}/ns/{name}", os.O_RDONLY) for name in ("user", *ENTERED)}
    directories = [os.open(f"/proc/{holder}/{name}", os.O_PATH | os.O_DIRECTORY) for name in ("root", "cwd")]
    own = {name: os.open(f"/proc/self/ns/{name}", os.O_RDONLY) for name in namespaces}
    # The others may belong to an outer user namespace than the one that the holder ended up in: that one comes first.
    owner = fcntl.ioctl(namespaces["mnt"], NS_GET_USERNS)
    if not os.path.sameopenfile(owner, own["user"]):
        _checked(libc.setns(owner, 0), "setns to the owner")
    for name in ENTERED:
        if not os.path.sameopenfile(namespaces[name], own[name]):
            _checked(libc.setns(namespaces[name], 0), f"setns {name}")
    root, cwd = directories
    os.fchdir(root)
    os.chroot(".")
    os.fchdir(cwd)
    if not os.path.sameopenfile(owner, namespaces["user"]):
        _checked(libc.setns(namespaces["user"], 0), "setns user")
    for fd in (owner, *namespaces.values(), *own.values(), *directories):
        os.close(fd)


def _take_place(output, limits, umask, environment, system_calls, inside):
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    for target in (1, 2):
        os.dup2(output, target)
    os.closerange(3, inside.fileno())
    os.closerange(inside.fileno() + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    os.umask(umask)
    for limit, bounds in limits:
        resource.setrlimit(limit, bounds)
    os.environ.clear()
    os.environb.update(environment)
    drop_capabilities()
    # As after an exec: /proc/self is the process's own again.
    _checked(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")
    _checked(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "pdeathsig")
    _filter_system_calls(system_calls)
    inside.sendall(b"!")
    if inside.recv(1) != b"!":
        os._exit(1)


def _filter_system_calls(compiled):
    instructions = ctypes.create_string_buffer(compiled, len(compiled))
    # struct sock_fprog: the number of instructions, of 8 bytes each, and where they are.
    program = ctypes.create_string_buffer(struct.pack("@HP", len(compiled) // 8, ctypes.addressof(instructions)))
    _checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "seccomp")


def _compare(proc, child, holder):
    for what, read in (("confinement", _status), ("limits", _limits), ("namespaces", _places), ("control groups", _groups)):
        taken, wanted = read(proc, child), read(proc, holder)
        differing = [name for name in wanted if taken.get(name) != wanted[name]]
        if differing:
            raise Refused(f"{what} not taken over: {', '.join(differing)}")
    descriptors = set(_list(proc, f"{child}/fd"))
    if len(descriptors) != 4:
        raise Refused(f"open descriptors: {', '.join(sorted(descriptors))}")


def _status(proc, pid):
    lines = dict(line.split(":", 1) for line in _read(proc, f"{pid}/status").decode().splitlines())
    return {name: lines[name].strip() for name in COMPARED_STATUS if name in lines}


def _limits(proc, pid):
    return {line[:26].strip(): line[26:] for line in _read(proc, f"{pid}/limits").decode().splitlines()}


def _places(proc, pid):
    links = [*(f"ns/{name}" for name in COMPARED_NAMESPACES), "root", "cwd"]
    return {link: os.readlink(f"{pid}/{link}", dir_fd=proc) for link in links}


def _groups(proc, pid):
    return dict(enumerate(_read(proc, f"{pid}/cgroup").splitlines()))


def _environment(proc, pid):
    entries = _read(proc, f"{pid}/environ").split(b"\0")
    return dict(entry.split(b"=", 1) for entry in entries if b"=" in entry)


def _read(proc, path):
    with open(os.open(path, os.O_RDONLY, dir_fd=proc), "rb") as file:
        return file.read()


def _list(proc, path):
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    try:
        return os.listdir(directory)
    finally:
        os.close(directory)


def _checked(result, what):
    if result < 0:
        errno = ctypes.get_errno()
        raise Refused(f"{what}: {os.strerror(errno)}")
    return result
