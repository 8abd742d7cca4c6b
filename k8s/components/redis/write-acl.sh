#!/bin/sh
# Puts the passwords' SHA-256 into the ACL file: Redis reads no variables, and a ConfigMap should hold no passwords.
set -eu
script=''
for user in scheduler injector remediator executor verifier gateway admin; do
  password=$(printenv "$(echo "$user" | tr '[:lower:]' '[:upper:]')_PASSWORD")
  hash=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
  script="${script}s/@${user}@/${hash}/;"
done
umask 077
sed "$script" /etc/redis/users.acl >/acl/users.acl
