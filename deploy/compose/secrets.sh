#!/bin/sh
# Creates the missing secrets of docker-compose.yml; existing ones are not changed.
set -eu
umask 077
cd "$(dirname "$0")/../.."
. ./deploy/compose/setting.sh
dir="$(setting SECRETS_DIR ./secrets)"
mkdir -p "$dir"
# Also where the folder was created by hand, with an ordinary umask.
chmod 700 "$dir"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { # name, text. The accounts of the containers differ, so the files are readable by all; the folder is not.
  [ -e "$dir/$1" ] && return
  printf '%s\n' "$2" > "$dir/$1.new"
  chmod 444 "$dir/$1.new"
  mv "$dir/$1.new" "$dir/$1"
}
# A URL contains the password of its service: each pair is created together.
keep postgres_password "$(random)"
keep database_url "postgresql://portcullis:$(cat "$dir/postgres_password")@postgres:5432/portcullis"
keep redis_config "requirepass $(random)"
keep redis_url "redis://:$(cut -d ' ' -f 2 "$dir/redis_config")@redis:6379/0"
keep registry_url "http://portcullis:$(random)@registry:5000"
keep secret_key "$(random)$(random)"
keep admin_password "$(random)"
# Optional secrets: an empty file counts as absent. They can be filled by hand.
for name in secret_key_previous http_proxy https_proxy email_password email_tls_ca_cert syslog_auth_password \
  syslog_tls_ca_cert syslog_tls_client_cert syslog_tls_client_key metrics_token registry_events_secret \
  registry_s3_credentials oidc_client_secret oidc_ca_cert otlp_headers; do
  [ -e "$dir/$name" ] || install -m 644 /dev/null "$dir/$name"
done
