#!/bin/sh
# The one command: secrets, images, everything up and healthy. Arguments go to `docker compose up`.
set -eu
cd "$(dirname "$0")/../.."
sh deploy/compose/secrets.sh
docker compose up --detach --wait "$@"
echo "Portcullis is up on port ${PORT:-8080}; the first account is admin, its password is in ${SECRETS_DIR:-./secrets}/admin_password"
