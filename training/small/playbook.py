"""What the network reads of a case and writes for it, without what is the same in all of them."""

import re

FIELDS = {"fault": "Failure category", "namespace": "Namespace", "target": "Failed service"}


def report_of(text):
    """The fields of a failure report that the network reads; without a kind or a place they are empty."""
    found = {name: re.search(rf"^{label}: (\S+)$", text, re.M) for name, label in FIELDS.items()}
    return {name: match[1] if match else "" for name, match in found.items()}


def script_of(playbook):
    """The shell script of a playbook of one task, without its first line, `set -e`."""
    lines = playbook.split("ansible.builtin.shell: |\n", 1)[1].splitlines()
    return "\n".join(line[8:] for line in lines[1:])


def playbook_of(script):
    """The playbook of one task that runs a script, as `shellPlaybook` of the catalogue writes it."""
    lines = "\n".join(f"        {line}" for line in ["set -e", *script.split("\n")])
    return f"""---
- name: Repair
  hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - name: Repair
      ansible.builtin.shell: |
{lines}
"""
