import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createShell, gnu } from "./testing/create-shell.ts";

const after = "\nprintf 'after %s\\n' $?";
const scripts = [
  "cat <<EOF\na\nb\nEOF",
  "cat <<EOF | sort -r\na\nc\nb\nEOF",
  "sort <<EOF > /tmp/here-o\nb\na\nEOF\ncat /tmp/here-o; rm /tmp/here-o",
  "cat <<EOF >/tmp/here-p 2>&1\nb\nEOF\ncat /tmp/here-p; rm /tmp/here-p",
  "cat <<EOF && echo done\na\nEOF",
  "cat <<EOF || echo no\na\nEOF",
  "cat <<EOF; echo behind\na\nEOF",
  'cat <<EOF | while read line; do echo "[$line]"; done\na b\nc\nEOF',
  'while read line; do echo "<$line>"; done <<EOF | sort -r\na\nb\nEOF',
  "cat <<A; cat <<B\na\nA\nb\nB",
  "cat <<A - <<B\na\nA\nb\nB",
  "cat <<A | cat - | sort <<B\na\nA\nz\nb\nB",
  "for i in 1 2; do cat <<EOF | sed s/x/y/; done\nx $i\nEOF",
  "for i in 1 2; do\n  cat <<EOF\n$i \"$i\" '$i'\nEOF\ndone",
  "f() { cat <<EOF | sort; }\nb $1\na\nEOF\nf one; f two",
  "f() {\n  cat <<EOF\n$1\nEOF\n}\nf 1 | cat",
  'x=$(cat <<EOF | sort\nb\na\nEOF\n)\necho "$x"',
  'echo "got $(cat <<EOF | tr a-z A-Z\nhi\nEOF\n) end"',
  "(cat <<EOF\nin\nEOF\n) | cat; { cat <<EOF\ngroup\nEOF\n} > /dev/null",
  "if cat <<EOF | grep -q b; then echo yes; fi\nabc\nEOF",
  "case $(cat <<EOF\nx\nEOF\n) in x) cat <<EOF | cat;; esac\nis x\nEOF",
  "X=1; cat <<'EOF' | cat\n$X `date` $(date) \\$ \\\\ 'q' \"d\"\nEOF",
  'X=1; cat <<"EOF" | cat\n$X \\n\nEOF',
  "X=1; cat <<\\EOF | cat\n$X\nEOF",
  'X=1; cat <<EOF | cat\n$X $((X + 2)) $(echo in) `echo "back quoted"` \\$X \\` \\\\ \\a it\'s "d"\nEOF',
  `X=1; cat <<EOF | cat\n\${X}, \${Y:-none}, \${#X}\nEOF`,
  "X='a  b*'; cat <<EOF | cat\n$X * ? [a] ~ {a,b} # no ; & | < > ! %s\nEOF",
  "cat <<EOF | cat\n$(printf 'two\\nlines\\n\\n')\nEOF",
  "X='\ta'; cat <<-EOF | cat\n\tone\n\t\ttwo\n\t$X\n$X\n \tthree\n\tEOF",
  "cat <<-'EOF' | cat\n\t$one\n\tEOF",
  "cat <<EOF | cat\n\n\nlines\n\n\nEOF",
  "cat <<EOF | wc -c\nEOF",
  "cat <<EOF | wc -c\n\nEOF",
  "cat <<-EOF | wc -c\n\t\n\tEOF",
  "E=; cat <<EOF | wc -c\n$E\nEOF",
  "cat <<EOF | cat\na\\\nb\nEOF",
  "cat 0<<EOF | cat\nzero\nEOF",
  "cat <<EOF | cat\nüñ€ 🙂\nEOF",
  'read a b <<EOF && echo "$b $a"\none two\nEOF',
  "sh <<EOF | cat\necho inner\nEOF",
  "cat <<EOF | cat 'a\nb' - 2>/dev/null\nc\nEOF",
  "set -C; cat <<EOF | sort > /tmp/here-n\nb\nEOF\ncat /tmp/here-n; rm /tmp/here-n",
  "set -e; cat <<EOF | cat\nb\nEOF\nfalse",
  "exec 3<<EOF; cat <&3 | cat\nthree\nEOF",
  "cat 3<<EOF <&3 | cat\nthree\nEOF",
  "! cat <<EOF | grep -q z\na\nEOF",
  "until cat <<EOF | grep -q a; do :; done\na\nEOF",
  'while read x <<EOF && [ "$x" != q ]; do break; done\nq\nEOF\necho $x',
  "cat <<EOF | cat\n$(cat <<IN | sort\nz\ny\nIN\n)\nEOF",
  "cat <<'E O F' | cat\na\nE O F",
  "cat <<EOF | cat\n EOF\nEOF x\nEOF",
  "(sleep 0; cat <<EOF | cat) > /tmp/here-b 2>&1 & wait; cat /tmp/here-b; rm /tmp/here-b\nlate\nEOF",
  "eval 'cat <<EOF | sort\nb\na\nEOF'",
  "cat <<EOF > /tmp/here-s && sh /tmp/here-s; rm /tmp/here-s\ncat <<IN | sort\nz\ny\nIN\nEOF",
];

const bare = (name: string): string => `$${`{${name}}`}`;
const others = [
  `a=1; b=2; echo ${bare("a")}b "${bare("a")}_c" x${bare("a")}9${bare("b")}z ${bare("a")}-b`,
  `set -- 1 2; echo ${bare("1")}0 "${bare("1")}0" $1 $10`,
  `a=1; x=${bare("a")}b; case ${bare("a")}b in ${bare("a")}b) echo "$x";; esac`,
  `a='x  y'; printf '<%s>' ${bare("a")}b "${bare("a")}b"; echo`,
  'echo `echo \\`echo nested\\` "a  b"`',
  'echo "`echo "a  b"` $(echo "c  d")"',
  "echo $HOME_NONE$?x $#y",
];
const bashOnly = [
  "x=$'a\\nb\\'c'; echo \"$x\"; echo $'\\t|\\n|'",
  'declare -A m=([a]=1 ["b c"]=2); echo "$' + "{m[b c]} $" + '{m[a]}"',
  "f() { local a=(1 2 3); echo $" + "{a[1]} $" + "{#a[@]}; }; f",
];

const shell = createShell(gnu);

const withPipe = (script: string): string => `${script}; cat < /dev/null | cat`;
const inBoth = [...scripts, ...others.map(withPipe)];

test.each([
  ...inBoth.map((script) => ["sh", script] as const),
  ...[...inBoth, ...bashOnly.map(withPipe)].map((script) => ["bash", script] as const),
])("a script that is printed again does what it does in a real shell: %s -c %j", async (name, script) => {
  const { stdout, stderr, status } = spawnSync(name, ["-c", script + after], { encoding: "utf8" });
  const { out, err, code } = await shell.run([name, "-c", script + after]);
  expect({ out, err, code }).toEqual({ out: stdout, err: stderr, code: status });
});
