const replacements: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/arena-[pw]-/g, "arena-"],
  [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?/g, "<time>"],
  [/"delta": "[^"]*"/g, '"delta": "<delta>"'],
  [/\d:\d\d:\d\d\.\d{6}/g, "<delta>"],
  [/\b1[67]\d{8}\.\d+\b/g, "<seconds>"],
  [/\b[jJ]?\d{9,}\.\d+\b/g, "<job>"],
  [/ansible-(tmp|moduletmp|local)-[\w<>.-]+/g, "ansible-tmp-<name>"],
  [/\/tmp\/ansible_\S+_payload_\w+\/ansible_\S+_payload\.zip\//g, "<library>/"],
  [/\/usr\/lib\/python3\/dist-packages\/(?=ansible)/g, "<library>/"],
  // Where a module's own part of a traceback begins.
  [/File \\+"\/root\/\.ansible\/tmp\/ansible-tmp-<name>\/AnsiballZ[\s\S]*?(?=File \\+"<frozen runpy>)/g, ""],
  // A module in Ansible's archive has no source lines to show.
  [/(File \\+"<library>[^"]*", line \d+, in [\w<>]+)(?:\\+n {4}.*?)+?(?=\\+n(?! {4}))/g, "$1"],
  [/^ASYNC POLL on .*\n/gm, ""],
  [/^FAILED - RETRYING: .*async_status.*\n/gm, ""],
  [/(\W)(tmp\w{8}|\.ansible_tmp\w+)\b/g, "$1<tmp>"],
  [/\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, "<uuid>"],
  [/"resourceVersion": "\d+"/g, '"resourceVersion": "<n>"'],
  [/"(elapsed|pid|ppid|inode|[amc]time)": [\d.]+/g, '"$1": <n>'],
  [/\.\d+\.<time>~/g, ".<backup>~"],
  [/\bweb-[0-9a-z]{6,10}-[0-9a-z]{5}\b/g, "web-<pod>"],
  [/0x[0-9a-f]{8,}/g, "0x<address>"],
];

/** What a playbook printed, without what differs from one run of the plain command to the next. */
export function normalized(output: string): string {
  return replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), output);
}
