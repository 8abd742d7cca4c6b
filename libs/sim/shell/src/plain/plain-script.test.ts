import { parse } from "just-bash";
import { expect, test } from "vitest";
import { createShell, gnu } from "../testing/create-shell.ts";
import { plainScript } from "./plain-script.ts";

/** A comment that makes it a matter for the whole shell. */
const forTheWholeShell = "\n# é";

const asksAgain = [
  "ok=0; bad=0",
  "for i in $(seq 1 12); do",
  "  if wget -q -T 5 -O /dev/null 'http://redis:80/'; then ok=$((ok+1))",
  "  else bad=$((bad+1)); [ $bad -gt 2 ] && break",
  "  fi",
  "done",
  "echo answered $ok",
].join("\n");

const asksForContent = `ok=0; bad=0
[ $bad -gt 3 ] || { answer=$(wget -q -S -O /dev/stderr -T 5 'http://redis/' 2>&1) && case "$answer" in "  HTTP/1."?" "200" "*"
  
"*'OK'*|"  HTTP/1."?" "2??" "*"
  
"*'it'*) true;; *) false;; esac && ok=$((ok+1)) || bad=$((bad+1)); }
echo answered $ok`;

const asksByFunctions = `
web=; raw=
if command -v curl >/dev/null; then
  web=curl
  http() {
    code=$(curl -s -o /dev/null -m 5 -w '%{http_code}' "http://$1:$2/" 2>/dev/null)
    case $code in [1-4]??) ;; *) return 1 ;; esac
  }
elif command -v wget >/dev/null; then
  web=wget
  http() {
    said=$(wget -q -S -T 5 -O /dev/null "http://$1:$2/" 2>&1) && return
    case $said in *"HTTP/1."[01]" "[1-4]*) ;; *) return 1 ;; esac
  }
fi
if command -v nc >/dev/null; then
  raw=nc
  tcp() { nc -z -w 3 "$1" "$2" </dev/null >/dev/null 2>&1; }
fi
way() {
  case $2 in http) client=$web ;; *) client=$raw ;; esac
  [ -n "$client" ] || return 0
  ok=0; bad=0
  for i in $(seq 1 8); do
    if $2 "$3" "$4"; then ok=$((ok+1))
    else bad=$((bad+1)); [ $bad -gt 2 ] && break
    fi
  done
  echo "way $1 answered $ok"
}
way 0 http redis 80
way 1 tcp redis 6379
way 2 http nowhere 80
true`;

const writes = `f='/tmp/.probe'
code=0
for i in $(seq 1 3); do
  said=$(dd if=/dev/zero of=$f bs=1M count=1 conv=fsync 2>&1) || code=1
  echo "$said" >&2
  [ $code = 0 ] || break
  case "$said" in *"copied, "[1-9]*e-*) ;; *"copied, "[1-9]*) break ;; esac
done
rm -f $f || code=1
exit $code`;

const scripts = [
  asksAgain,
  asksByFunctions,
  asksForContent,
  writes,
  "nc -z -w 3 10.0.0.1 80 </dev/null && echo open 80; nc -z nowhere 80 </dev/null && echo open 81; true",
  'echo a  b \'c  d\' "e  f"; x=\'1  2\'; echo $x "$x" a$x-b $nothing "$nothing" end',
  'x=; echo "" \'\' $x a$x; [ -n "$x" ] || echo empty; [ -z "$x" ] && echo also',
  "false; echo $?; true && false || echo third; ! false && echo fourth; ! true; echo $?",
  'x=1; y=$(echo $x; x=2; echo inner $x); echo "$y" $x; z=$(false); echo $?; z=$(exit 7); echo $?; z=; echo $?',
  "f() { echo $1-$2-$3; return 4; }; f a 'b c'; echo $?; f x; echo \"$1\"",
  "f() { for i in a b c; do [ $i = b ] && return; echo $i; done; }; f; echo $? $i",
  "for i in a b c d; do [ $i = b ] && continue; [ $i = d ] && break; for j in 1 2; do break; done; echo $i$j; done; echo $i",
  "a=0; a=1 b=$a$a printenv a b; echo $a-$b-$?; a=$(echo 2) printenv a b; b=$(exit 3) printenv b; printenv a; echo $?",
  "{ echo a; false; }; echo $?; { x=2; echo $x; } && { false; } || echo c$x; ! { true; }; echo $?; { exit 3; echo no; }; echo no",
  "f() { { return 3; }; echo no; }; f; echo $?; for i in a b c; do { [ $i = b ] && break; }; echo $i; done; { nosuch; } 2>/dev/null; echo $?",
  "ok=0; bad=0; [ $bad -gt 1 ] || { wget -q -O /dev/null http://redis:80/ && ok=$((ok+1)) || bad=$((bad+1)); }; echo $ok $bad",
  "LANG=C printenv LANG HOSTNAME; a=1 hostname >/dev/null; echo -$a-; a='x  y' printenv a 2>&1",
  "case abc in a) echo 1 ;; [a-c]??) echo 2 ;; *) echo 3 ;; esac; case x in y) ;; esac; echo $?",
  "case 'a*c' in 'a*c') echo quoted ;; esac; case abc in 'a*c') echo no ;; a*c|b) echo star ;; esac",
  "echo $((1+2)) $((a-1)); a=5; b=$((a+a-1)); echo $b; c=08x; d=a; echo $((d+1))",
  "echo one >&2; echo two >/dev/null; f() { echo out; echo err >&2; }; f 2>&1; f >/dev/null; f 2>/dev/null",
  "wget -q -O /dev/null http://nowhere/ 2>&1; echo $?; wget -O /dev/null http://redis/",
  'x=$(wget -q -O /dev/null http://nowhere/ 2>&1 >/dev/null); echo "<$x>"',
  'nosuchprogram a b; echo $?; x=nosuch; $x; echo $?; $nothing; echo $?; "$nothing"; echo $?',
  "echo -n a; echo -e 'b\\tc'; echo 'd\\n'; printf '%s-' 1 2; printf 'x\\n'",
  "[ 3 -lt 10 ] && echo less; [ 3 -eq 3 ] && [ 3 -ne 4 ] && test 5 -ge 5 && test a != b && echo all; [ a -eq 1 ]; echo $?; [ a = b; echo $?",
  'x=; for o in -e -r -f -d -s -w -x -h -L; do [ $o "$x" ]; echo $o $?; done; [ -e "" ] || echo none; [ "" -nt /etc/hosts ]; echo $?',
  'cat ""; echo $?; head -c 3 ""; echo $?; dd if="" 2>&1; echo $?; cd /tmp; ls "" >/dev/null || echo none; mkdir -p "" || echo not made',
  "[ -d /tmp ] && echo dir; [ -f /nofile ] || echo none; [ a ] && echo one; [ ]; echo $?; [ ! a = b ] && echo not",
  "x='/et*'; echo $x \"$x\"; y='[z'; echo $y; z='?'; echo a$z; echo '*' \"?\"",
  "cat /proc/uptime /proc/[0-9]*/stat 2>/dev/null; echo variables; cat /proc/1/environ 2>/dev/null; [ -r /proc/1/stat ]",
  'echo * /etc/* /etc/host* /*/hosts /nosuch/* /et?/[!r]osts [ [a ; for f in /etc/h*; do echo "<$f>"; done',
  "x=*; echo \"$x\" /dev/'*' /de\\v/* ; case '*' in \"$x\") ;; esac; test -e /etc/hosts; echo $?; [ -f /etc ]; echo $?; [ -d /etc ]; echo $?",
  "for pid in 1 nosuch; do readlink /proc/$pid/exe 2>/dev/null || echo; head -c 4096 /proc/$pid/cmdline 2>/dev/null; printf '\\036\\n'; done",
  "readlink /etc/hosts; echo $?; readlink /nosuch; echo $?; readlink -f /etc; x=; readlink $x; readlink /etc /tmp; echo $?",
  "head -c 3 /etc/hostname; head -c 0 /etc/hostname; head -c 3 /nosuch; echo $?; head -c 3 /etc; echo $?; head -n 1 /etc/hostname; head -c -1 /etc/hostname",
  "printf 'a\\tb\\\\ \\101\\7 é'; printf '%%\\n'; printf '100%'; printf '\\x41\\e\\q\\0'; printf; echo $?; printf --; printf '\\1234\\n'; printf 'a\\'",
  "command -v readlink head printf; command -v head >/dev/null && echo has; command -v : >/dev/null && command -v [ >/dev/null && echo words",
  "du -s '/etc' | cut -f1; find '/etc' -type f | wc -l; du -s /etc; find /tmp -type f; du -s /nosuch | cut -f1; echo $?",
  "mkdir -p /tmp/a/b /tmp/é; echo x > /tmp/a/b/c; seq 999 > /tmp/a/B; echo > /tmp/é/_1",
  "du -s /tmp/; du -s .; du /etc; find /etc; find /etc/hosts -type f; find /nosuch -type f | wc -l; du -s /etc/hosts | wc -l; du -s /proc/1/exe; echo $?",
  "printf 'a\\tb\\nc\\n\\td' | cut -f1; printf '' | cut -f1; printf '\\n' | cut -f1; printf 'a\\nb' | wc -l; printf '' | wc -l",
  "f() { echo a; x=2; return 3; }; x=1; f | wc -l; echo $? $x; x=$(f | cut -f1); echo $x; ! f | wc -l; echo $?; nosuch | wc -l; cat /nosuch | cut -f1",
  "exit 3 | wc -l; echo $?; echo a | wc -l | cut -f1; echo a | wc -l >/dev/null; echo a | wc -c; echo a |& wc -l; find / -type f | wc -l",
  "head -c 5 /nosuch 2>/dev/null; echo $?; head -c 5 /etc 2>/dev/null; echo $?; readlink /nosuch 2>/dev/null; echo $?; readlink /etc 2>/dev/null; echo $?",
  "echo before; exit 3; echo after",
  "echo $HOSTNAME; HOSTNAME=x; printenv HOSTNAME; SOME=1; printenv SOME; echo $?",
  "seq 3; seq 2 4; seq 4 2; seq 1 2 7; seq; echo $?",
  "if false; then echo a; elif [ 1 = 1 ]; then echo b; else echo c; fi; if false; then echo d; fi; echo $?",
  "echo a | cat",
  "cat /etc/hostname; cat /nofile; echo $?; hostname; true; ls /nofile; echo $?",
  "echo(",
  "command -v wget >/dev/null && echo has; command -v nosuch >/dev/null || echo lacks; command -v wget",
  'for i in; do echo no; done; echo $?; for i in $nothing; do echo no; done; for i in "$nothing"; do echo once; done',
  "env A=1 printenv A; timeout 1 echo in time; nohup echo still",
  "command -v wget; command -v nosuch; command -v echo; command -v :; f() { :; }; command -v f; command -v /bin/cat; command -v ''; echo $?",
  "/bin/hostname; /usr/bin/cat /etc/hostname; /bin/nosuch; echo $?; /usr/bin/env A=1; /sbin/hostname; bin/cat /etc/hostname; echo $?",
  "psql -c x; echo $?; x=$(mongo); echo $? $x; X=1 redis-cli; kafka-topics.sh --list 2>/dev/null || echo none",
  "env; X=1; env; env | cut -f1; LANG=C env",
  `echo "\${X:-a b}" \${X:-a/b.c}; X=1; echo "\${X:-2}\${Y-3}" "\${HOSTNAME:-4}"; X=; echo "\${X:-5}"; echo \${X:-"a  b"} \${X:-~}`,
  "a=$(date +%s); b=$(date +%s); echo $((b - a)); c=12345678901; echo $((c + c)) $((c - 9999999999999))",
  "printf 'a\\nb\\nc' | tail -n 2; printf '' | tail -n 1; printf 'a\\n\\n' | tail -n 1; echo a | tail -n 0; echo a | tail -n +1; echo a | tail -2",
  'set -- a "b  c" ""; for x in "$@"; do echo "<$x>"; done; echo "$@" $1 "$2"',
  'x=set; $x -- a b; echo $1; c""d /tmp; \\cd /etc; echo *',
  "x='a\nb'; echo $x; echo \"$x\"; case $x in a*b) echo over lines ;; esac; y=$(printf 'l1\\nl2\\n\\n'); echo \"$y\"; for l in $y; do echo $l; done",
];

for (const [flavour, change] of [
  ["busybox", undefined],
  ["GNU", gnu],
] as const) {
  test.each(scripts)(
    `in a container with ${flavour}'s programs runs as the whole shell does: %s`,
    async (script) => {
      const results = [];
      for (const text of [script, script + forTheWholeShell]) {
        const { run, reply } = createShell(change);
        reply.current = (n) =>
          n % 5 === 3
            ? { ok: false, elapsedMs: 700, error: "refused" }
            : { ok: true, elapsedMs: 30, error: "", status: 200 };
        const { code, out, err } = await run(["sh", "-c", text]);
        // Where stderr goes to stdout the whole shell keeps bash's words.
        const said = out.replaceAll(/bash: (\S+): command not found/g, "sh: 1: $1: not found");
        results.push({
          code,
          out: said,
          err: err.replaceAll(/in \S+ seconds|, \S+ s,|[\d.]+ ?[MG]B\/s/g, ""),
        });
      }
      expect(results[0]).toEqual(results[1]);
    },
  );
}

test.each([
  ...[
    asksAgain,
    asksByFunctions,
    asksForContent,
    writes,
    "nc -z -w 3 10.0.0.1 80 </dev/null && echo open 80; true",
  ],
  "du -s '/data' | cut -f1; find '/data' -type f | wc -l",
  "du -s '/usr/local/share' | cut -f1; cat '/x/\"type\":\"set\"'",
  'for m in "$@"; do a=$(date +%s); cat $m/x 2>/dev/null; b=$(date +%s); [ $((b - a)) -ge 2 ] && exit 3; done; true',
  `psql -U "\${POSTGRES_USER:-postgres}" -c "SELECT 1" 2>&1; env; r=$(ping -c 2 -W 1 $1 | tail -n 2); echo "$1" $r`,
  "command -v mongosh || command -v mongo; /usr/bin/mongo --quiet",
  "[ $bad -gt 2 ] || { wget -q -T 5 -O /dev/null 'http://shop:80/' && ok=$((ok+1)) || bad=$((bad+1)); }",
  'echo @databases; MYSQL_PWD="$MYSQL_ROOT_PASSWORD" mysql -uroot -N -B -e "SHOW DATABASES" 2>&1',
])("a probe's script needs no shell: %s", (script) => {
  expect(plainScript(script, parse)).toBeDefined();
});

test.each([
  "while true; do sleep 1; done",
  "echo a | cat",
  "echo a > /tmp/a",
  "cd /tmp; echo a",
  "X=1 echo a",
  "X=1 nosuch",
  "sleep 100 &",
  "(echo a)",
  "break",
  "return",
  "echo $((x ? 1 : 2))",
  "echo $$ $# $@",
  "echo ~",
  "echo {a,b}",
  "f() (echo a)",
  "echo é",
  "echo(",
])("is a matter for the whole shell: %s", (script) => {
  expect(plainScript(script, parse)).toBeUndefined();
});

test("a script that never ends is ended, and one that was ended prints no more", async () => {
  const { run } = createShell();
  const endless = await run(["sh", "-c", "f() { f; }; f; echo after"]);
  expect(endless.code).toBe(126);
  expect(endless.out).toBe("");
  const abort = new AbortController();
  abort.abort();
  expect((await run(["sh", "-c", "echo a; echo b"], undefined, abort.signal)).out).toBe("");
});

test("files in directories of any names and depth are counted as the whole shell does, also where calls fail", async () => {
  const made = "mkdir -p /tmp/a/b/c /tmp/B; for f in a/x a/b/y B/z .hidden; do seq 700 > /tmp/$f; done";
  for (const errno of [undefined, 5]) {
    const results = [];
    for (const end of ["", forTheWholeShell]) {
      const { run, container } = createShell(gnu);
      await run(["sh", "-c", `${made}; ln -s /tmp/a /tmp/link; mkdir /tmp/empty`]);
      const fault = { owner: "t", volumePath: "/tmp", percent: 40, delayMs: 0 };
      if (errno !== undefined) container.ioFaults.push({ ...fault, errno });
      const { code, out, err } = await run([
        "sh",
        "-c",
        `du -s /tmp | cut -f1; find /tmp -type f; du -s /tmp${end}`,
      ]);
      results.push({ code, out, err });
    }
    expect(results[0]).toEqual(results[1]);
    if (errno === undefined) expect(results[0]?.out).toContain("/tmp/a/b/y");
  }
});
