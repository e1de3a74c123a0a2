# Reads a variable as docker compose does: from the shell, else from `.env` in the project's folder, else the
# default.
setting() { # name, default
  eval "given=\${$1:-}"
  if [ -z "$given" ] && [ -f .env ]; then
    given="$(sed -n "s/^[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$1=//p" .env | tail -n 1)"
    case "$given" in
      \"*\") given="${given#\"}" given="${given%\"}" ;;
      \'*\') given="${given#\'}" given="${given%\'}" ;;
    esac
  fi
  printf '%s' "${given:-$2}"
}
