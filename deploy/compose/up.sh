#!/bin/sh
# Creates secrets, builds images, and starts everything until it is healthy. Arguments are passed to
# `docker compose up`.
set -eu
cd "$(dirname "$0")/../.."
. ./deploy/compose/setting.sh
sh deploy/compose/secrets.sh
# For the labels of images that are built here.
REVISION="${REVISION-$(git rev-parse HEAD 2>/dev/null || true)}"
CREATED="${CREATED-$(git log -1 --format=%cI 2>/dev/null || date -u +%Y-%m-%dT%H:%M:%SZ)}"
export REVISION CREATED
docker compose up --detach --wait "$@"
echo "Portcullis is up on port $(setting PORT 8080); the first account is admin, its password is in $(setting SECRETS_DIR ./secrets)/admin_password"
