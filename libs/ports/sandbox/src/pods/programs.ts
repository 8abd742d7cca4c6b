/**
 * What an exec in a runner pod starts: it reads a program from its standard input and becomes it. So nothing of a run
 * is in the arguments of an exec, which audit logs keep.
 */
export const loader = [
  "/usr/bin/python3",
  "-I",
  "-S",
  "-c",
  `r = open(0, "rb", 0, closefd=False)
def take():
    n = int(r.readline() or exit(1))
    b = b""
    while len(b) < n:
        b += r.read(n - len(b)) or exit(1)
    return b
exec(take())`,
] as const;

/** Texts as the loader reads them: the program first, then what it takes. */
export function loaded(program: string, ...inputs: readonly string[]): Buffer {
  const parts = [program, ...inputs].map((text) => Buffer.from(text));
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}\n`), part]));
}

/** What the supervisor is to run, as JSON. */
export interface Job {
  readonly home: string;
  /** Contents by path in home. */
  readonly files: Readonly<Record<string, string>>;
  /** Targets of symbolic links by their paths. */
  readonly links: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** From the end of a program to that of its output, s: what it left in the background may hold the pipe open. */
const pipeGraceSeconds = 0.3;

/**
 * Writes the files of a job and runs its program, whose output it passes on and whose exit code it takes. It stays between
 * the program and the exec, for an exec ends only when nothing holds its output open, and programs leave others in the
 * background. The program is the child of a process that it may kill: it ends its own run by that, and nothing else.
 */
export const supervisor = `
import json, os, select, signal, time
job = json.loads(take())
home = job["home"]
for name, text in job["files"].items():
    path = os.path.join(home, name)
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
for path, target in job["links"].items():
    os.symlink(target, path)
woken, wake = os.pipe()
os.set_blocking(wake, False)
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.set_wakeup_fd(wake)
output, end = os.pipe()
child = os.fork()
if child == 0:
    try:
        signal.set_wakeup_fd(-1)
        for one in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(one, signal.SIG_DFL)
        os.setsid()
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(end, 1)
        os.dup2(end, 2)
        os.closerange(3, 1024)
        os.chdir(home)
        os.execve(job["argv"][0], job["argv"], job["env"])
    finally:
        os._exit(127)
os.close(end)
flows, status, last = True, None, 0
while status is None or (flows and time.monotonic() < last):
    left = None if status is None else max(0, last - time.monotonic())
    ready = select.select([output] * flows + [woken] * (status is None), [], [], left)[0]
    if output in ready:
        data = os.read(output, 65536)
        flows = len(data) > 0
        while data:
            data = data[os.write(1, data):]
    if woken in ready:
        os.read(woken, 512)
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            status, last = code, time.monotonic() + ${pipeGraceSeconds}
os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`;
