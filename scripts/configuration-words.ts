/** What each environment variable means, by the part of the product it is about. A variable without words fails a test. */
export const SECTIONS: Record<string, Record<string, string>> = {
  'Where things are': {
    DATABASE_URL:
      'PostgreSQL 15 or newer; without it, `npm start` runs one of its own. By a Unix socket: `postgresql://user:password@%2Ffolder/database`',
    REDIS_URL:
      'Redis 6.2 or newer with `maxmemory-policy noeviction`; without it, `npm start` runs one. By a Unix socket: `redis://:password@%2Ffolder%2Fredis.sock/0`',
    REGISTRY_URL:
      'the local registry (CNCF distribution), reached by the api and the workers alone, with its user and password if it asks for them; without it, `npm start` runs one. By a Unix socket: `http+unix://user:password@%2Ffolder%2Fregistry.sock`',
    REGISTRY_STORAGE:
      "where the registry keeps its blobs, for garbage collection and for `DISK_RESERVE`; an outside registry's must be mounted here",
    REGISTRY_S3_BUCKET:
      'the bucket in which the registry keeps its blobs, where that is its storage: for garbage collection, in place of `REGISTRY_STORAGE`. See [s3.md](s3.md)',
    REGISTRY_S3_REGION: "the bucket's region",
    REGISTRY_S3_ENDPOINT: "URL of the S3-compatible store; without it, Amazon's of the region",
    REGISTRY_S3_PATH_STYLE: "the bucket's name stands in the path; `false`: in the host name",
    REGISTRY_S3_ROOT: "the registry's `rootdirectory` in the bucket",
    REGISTRY_S3_CREDENTIALS:
      'a shared credentials file of the AWS tools, whose profile `default` may list, read and delete in the bucket; the registry reads the same file',
    REGISTRY_STORE_ORIGINS:
      'origins of the object store that the registry sends its readers to (`https://images.s3.eu-central-1.amazonaws.com`), parted by commas; the gate and the workers follow it there, and nowhere else. See [registry.md](registry.md#a-registry-that-redirects)',
    REGISTRY_BINARY: 'the `registry` program that collects garbage',
    DATA_DIR:
      'layouts, blob cache, scanner database; workers may share one or have one each, and it needs hard links. Without `SECRET_KEY` the key is in it, and all processes need the same one; with `SECRET_KEY` api and notifier need none',
    TRIVY_PATH:
      'a Trivy 0.74 to use in place of the one that is fetched or built (`npm start` only)',
    WEB_DIR: 'the built web page',
    PORT: 'where the api listens',
    HOST: 'the interface it listens on',
    PUBLIC_URL: "where clients reach the product; without it, each request's own host is taken",
    TRUSTED_PROXIES: 'addresses or networks whose `X-Forwarded-*` is believed, parted by commas',
  },
  'Keys and the first account': {
    SECRET_KEY:
      'signs sessions and seals stored secrets; without it, a key file is made in `DATA_DIR` (0600). All processes need the same',
    SECRET_KEY_PREVIOUS:
      'the key before a rotation, which still opens what it sealed; see [command.md](command.md#another-secret-key)',
    ADMIN_USERNAME: 'the first account',
    ADMIN_PASSWORD:
      'its password; without it, a random one is printed once and must be changed at the first login',
    FIRST_ADMIN_FILE: 'write the random password to this file in place of printing it',
    SESSION_HOURS: 'how long a login lasts',
    OIDC_TOKEN_DAYS:
      'how long after its last login the personal tokens of an account of the identity provider work; without it, until they expire',
  },
  Limits: {
    RATE_LIMIT_ENABLED: 'budgets of requests to `/api`',
    RATE_LIMIT_PER_MINUTE: 'requests in a minute of strangers from one address',
    RATE_LIMIT_ACCOUNT_PER_MINUTE:
      'requests to `/api` in a minute of one account, wherever it comes from; and as many manifests that it stores over `/v2`, where one counts once more for each 64 KiB',
    LOGIN_LIMIT_PER_ACCOUNT:
      'wrong passwords for one account in a window: login, password change and `/v2` together. Always counted',
    LOGIN_LIMIT_PER_ADDRESS: 'wrong passwords from one address in a window',
    LOGIN_LIMIT_WINDOW_SECONDS: 'the window',
    MAX_OPEN_JOBS_PER_ACCOUNT:
      'staging jobs of one account that wait or run at once, those of transfers included; administrators are free of it',
    SCHEDULE_MIN_SECONDS: 'between any two runs of a transfer schedule',
    MAX_MANIFEST_BYTES: 'the largest manifest that is accepted',
  },
  'The gate': {
    TRIVY_ENABLED: 'whether there is a scanner at all',
    TRIVY_DB_REPOSITORY:
      "where the vulnerability database comes from; any registry. Trivy's own by default",
    TRIVY_JAVA_DB_ENABLED:
      'whether the index of Java archives, 400 MB and more, is fetched; without it, only archives that name their version are judged',
    TRIVY_JAVA_DB_REPOSITORY:
      'where that index comes from; without it, `trivy-java-db:1` beside `TRIVY_DB_REPOSITORY`',
    TRIVY_RESCAN_ENABLED:
      'whether images that tags of the built-in registry name are scanned again, in the background, after each update of the database',
    TRIVY_DB_UPDATE_HOURS: 'how often a newer database is asked for',
    VULN_SCAN_ENABLED: 'whether images are scanned; yes by default',
    VULN_SCAN_SEVERITIES: 'which severities block a push; `CRITICAL,HIGH` by default',
    VULN_IGNORE_UNFIXED: 'findings without a fix don’t block',
    VULN_SCAN_TIMEOUT: 'of one scan: seconds, or `5m`, which is the default',
    SCAN_MAX_UNPACKED_BYTES:
      'how far an image may unpack before its scan is refused (verdict `error`); beyond 512 MiB also at most 200 times its packed size',
    VULN_ON_ERROR: '`block` (the default) or `allow` what could not be judged',
    VULN_THIRD_PARTY:
      'packages of other makers than the operating system’s, for which there are no advisories: `partial` (the default) leaves the image partly judged, `accept` ignores them',
    VULN_OVERRIDE: 'who may relax the gate for one job: `privileged` (the default) or `anyone`',
    VULN_MAX_DATABASE_AGE_DAYS:
      'a verdict by an older vulnerability database lets no push through; `0`, the default: however old',
  },
  'Other hosts': {
    EGRESS_ALLOW: 'networks or `host[:port]` that accounts may name although they are private',
    EGRESS_DENY: 'networks or `host[:port]` that nobody may name',
    HTTP_PROXY: 'for plain HTTP',
    HTTPS_PROXY: 'for HTTPS',
    NO_PROXY: 'hosts and networks that are reached directly',
    DOCKERHUB_API_URL: "the hub's search",
    DOCKERHUB_HOST: "the hub's registry, for a mirror",
    REGISTRY_EVENTS_SECRET:
      'the bearer token of an outside registry’s notifications, sent to `/registry-events`',
  },
  Workers: {
    WORKER_STAGES:
      'which stages this process takes, so that scanners scale apart from pullers. A worker whose `DATA_DIR` no other worker shares needs all three. `none`: only the garbage collection of the registry whose storage it has',
    WORKER_CONCURRENCY: 'jobs at once: one number, or `pull=8,scan=1,push=4`',
    WORKER_GRACE_SECONDS: 'after SIGTERM; what isn’t done then is handed back',
    DISK_RESERVE:
      'free space that work leaves alone on the disks of `DATA_DIR` and `REGISTRY_STORAGE`: a size (`10GiB`) or a part (`5%`); by default the larger of 1 GiB and 5 %. See [operations.md](operations.md#a-disk-that-fills-up)',
    BLOB_CONCURRENCY: 'blobs of one image at once',
    MAX_PER_HOST: 'requests at once to one registry',
    PLACE_KEPT_SECONDS:
      'how long a pull or push surely keeps its place; after that it may be handed back to the queue while jobs of another account wait',
    SILENCE_SECONDS: 'how long another registry may send nothing before the connection is given up',
    LEAST_BYTES_PER_SECOND:
      'the least rate of each connection to another registry, on average over a minute; 0: any',
    STAGE_TRIES: 'how often a stage is tried where trying again may help',
    STAGE_BACKOFF_SECONDS: 'before the second try; doubles each time',
    STAGE_BACKOFF_MAX_SECONDS: 'at most',
    SWEEP_SECONDS: 'how often lost work is looked for',
    RECONCILE_SECONDS: 'how often the index of the local registry is compared with the registry',
    API_GRACE_SECONDS: 'how long the api lets requests end after SIGTERM',
  },
  'Audit and notification': {
    AUDIT_MAX_EVENTS: 'events kept on the stream',
    AUDIT_RETENTION_DAYS: 'how long the archive keeps them',
    EMAIL_ENABLED: 'whether mail is sent at all',
    EMAIL_HOST: 'the mail server',
    EMAIL_PORT: '587 by default',
    EMAIL_SECURITY: '`none`, `starttls` (the default; never falls back to clear) or `ssl`',
    EMAIL_USERNAME: '',
    EMAIL_PASSWORD: '',
    EMAIL_FROM_ADDRESS: '',
    EMAIL_TO_ADDRESSES: 'recipients, parted by commas',
    EMAIL_NOTIFY_LOGIN: 'a message for each web login and logout',
    EMAIL_NOTIFY_AUDIT: 'a message for every other audited operation',
    EMAIL_TLS_VERIFY: 'yes by default',
    EMAIL_TLS_CA_CERT: "path of a private authority's certificates",
    EMAIL_GATHER_SECONDS: 'how long an event waits for others to go into the same message',
    SYSLOG_ENABLED: 'whether events are forwarded',
    SYSLOG_HOST: 'the collector',
    SYSLOG_PORT: '514 by default',
    SYSLOG_PROTOCOL: '`udp` (the default), `tcp` or `tcp+tls`',
    SYSLOG_RFC: '`rfc3164` or `rfc5424` (the default)',
    SYSLOG_FORWARD_AUDIT: 'the audit events; yes by default',
    SYSLOG_FORWARD_UVICORN: 'the logs of all processes as well',
    SYSLOG_TLS_VERIFY: 'yes by default',
    SYSLOG_TLS_CA_CERT: "path of a private authority's certificates",
    SYSLOG_TLS_CLIENT_CERT: 'path of a client certificate: what collectors mean by authenticated',
    SYSLOG_TLS_CLIENT_KEY: 'path of its key',
    SYSLOG_AUTH_ENABLED: 'send the two below as structured data `auth@32473`',
    SYSLOG_AUTH_USERNAME: '',
    SYSLOG_AUTH_PASSWORD: '',
  },
  'Single sign-on': {
    OIDC_ENABLED: 'see [oidc.md](oidc.md)',
    OIDC_PROVIDER_NAME: 'on the button',
    OIDC_ISSUER: '',
    OIDC_CLIENT_ID: '',
    OIDC_CLIENT_SECRET: '',
    OIDC_SCOPES: '',
    OIDC_USERNAME_CLAIM: '',
    OIDC_GROUPS_CLAIM: '',
    OIDC_ADMIN_GROUPS: '',
    OIDC_ALLOWED_GROUPS: '',
    OIDC_GROUP_MAPPING: '`theirs=ours,…`',
    OIDC_ONLY: 'no passwords',
    OIDC_ALLOW_INSECURE: 'plain HTTP to another host',
    OIDC_CA_CERT: "a private authority's certificate",
  },
  Watching: {
    LOG_LEVEL: '`trace`, `debug`, `info`, `warn` or `error`',
    HEARTBEAT_FILE: 'touched while the process is well; what a container health check looks at',
    METRICS_TOKEN: 'the bearer token Prometheus sends to `/metrics`; without it, nothing is there',
    METRICS_PORT: 'the metrics of this process on a port of their own',
    METRICS_HOST: 'and its interface',
    SWAGGER_ENABLED: 'the interactive API docs at `/api/docs`, the document at `/api/openapi.json`',
    RELEASE_CHECK_URL: 'where the latest release is asked for; without it, nobody is asked',
    APP_VERSION: 'what `/api/version` says',
    APP_COMMIT: 'and from which commit',
  },
};

/** Set by our own programs for one another; nobody else needs them. */
export const INTERNAL = ['PORTCULLIS_PARENT', 'PATH'];
