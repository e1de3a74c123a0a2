/**
 * The meaning of each environment variable, by subject. A test finds a variable without a meaning.
 */
export const SECTIONS: Record<string, Record<string, string>> = {
  'Services and addresses': {
    DATABASE_URL:
      'PostgreSQL 15 or newer; without it, `npm start` runs one. By a Unix socket: `postgresql://user:password@%2Ffolder/database`',
    DATABASE_POOL_SIZE:
      'the most connections of each process to PostgreSQL ([how many in all](sizing.md#connections-to-postgresql))',
    REDIS_URL:
      'Redis 6.2 or newer with `maxmemory-policy noeviction`; without it, `npm start` runs one. By a Unix socket, Sentinels or a limited account: [forms](services.md#redis)',
    REGISTRY_URL:
      'the local registry (CNCF distribution), reachable by the api and the workers only, with user and password if it requires them; without it, `npm start` runs one. By a Unix socket: `http+unix://user:password@%2Ffolder%2Fregistry.sock`',
    REGISTRY_STORAGE:
      'directory in which the registry stores its blobs, for garbage collection, `DISK_RESERVE`, and [faster pulls and pushes](registry.md#speed); mount that of an external registry here',
    REGISTRY_S3_BUCKET:
      'bucket in which the registry stores its blobs, for garbage collection, in place of `REGISTRY_STORAGE`. See [images in a bucket](s3.md)',
    REGISTRY_S3_REGION: "the bucket's region",
    REGISTRY_S3_ENDPOINT: 'URL of the S3-compatible store; without it, Amazon S3 in the region',
    REGISTRY_S3_PATH_STYLE: "`true`: the bucket's name is in the path; `false`: in the host name",
    REGISTRY_S3_ROOT: "the registry's `rootdirectory` in the bucket",
    REGISTRY_S3_CREDENTIALS:
      'a shared credentials file of the AWS tools, whose profile `default` may list, read and delete in the bucket; the registry reads the same file',
    REGISTRY_STORE_ORIGINS:
      'origins of the object store that the registry redirects reads to (`https://images.s3.eu-central-1.amazonaws.com`), separated by commas; the api and the workers follow no other redirect. See [a registry that redirects](registry.md#a-registry-that-redirects)',
    REGISTRY_BINARY:
      'the `registry` program that collects garbage where `REGISTRY_STORAGE` is a network file system',
    DATA_DIR:
      'layouts, blob cache, vulnerability database; workers may share one or have one each. Its file system must support hard links. Without `SECRET_KEY` it also has the key, and all processes need the same directory; with `SECRET_KEY` api and notifier need none',
    TRIVY_PATH: 'path of a Trivy 0.74, in place of one that is fetched or built (`npm start` only)',
    WEB_DIR: 'directory of the built web page',
    PORT: 'port on which the api listens',
    HOST: 'interface on which the api listens',
    PUBLIC_URL:
      'address at which clients reach Portcullis, and the source of the events of webhooks; without it, the host of each request is used',
    TRUSTED_PROXIES:
      'addresses or networks whose `X-Forwarded-*` headers are trusted, separated by commas',
  },
  'Keys and the first account': {
    SECRET_KEY:
      'signs sessions and encrypts stored secrets; without it, a key file is created in `DATA_DIR` (0600). All processes need the same key',
    SECRET_KEY_PREVIOUS:
      'the previous key during a rotation; it decrypts what it encrypted. See [another secret key](command.md#another-secret-key)',
    ADMIN_USERNAME: 'username of the first account',
    ADMIN_PASSWORD:
      'password of the first account; without it, a random one is printed once and must be changed at the first login',
    FIRST_ADMIN_FILE: 'file for the random password, in place of printing it',
    SESSION_HOURS: 'hours that a login lasts',
    OIDC_TOKEN_DAYS:
      'days after the last login for which personal access tokens of an account of the identity provider work; without it, until they expire',
  },
  Limits: {
    RATE_LIMIT_ENABLED: 'whether requests to `/api` are limited',
    RATE_LIMIT_PER_MINUTE: 'requests a minute from one address without a valid credential',
    RATE_LIMIT_ACCOUNT_PER_MINUTE:
      'requests to `/api` a minute of one account, from all addresses together; and the same number of manifests stored over `/v2`, where each 64 KiB count as one more',
    LOGIN_LIMIT_PER_ACCOUNT:
      'wrong passwords for one account in a window, over login, password change and `/v2` together; always enforced',
    LOGIN_LIMIT_PER_ADDRESS: 'wrong passwords from one address in a window',
    LOGIN_LIMIT_WINDOW_SECONDS: 'length of the window',
    WAIVER_APPROVALS:
      'how many accounts, other than the one that requests a waiver, have to approve it: 1 or 2',
    REVIEW_EXPIRY_DAYS: 'after how many days a review request expires without a decision: 1 to 90',
    MAX_OPEN_JOBS_PER_ACCOUNT:
      'waiting and running staging jobs of one account, those of transfers included; administrators have no limit',
    SCHEDULE_MIN_SECONDS: 'least time between two runs of a transfer schedule',
    MAX_MANIFEST_BYTES: 'size of the largest manifest that is accepted',
    MAX_MANIFEST_CHILDREN: 'layers of a manifest, or manifests of an index, that are accepted',
  },
  'The gate': {
    TRIVY_ENABLED: 'whether the installation has a scanner',
    PROGRAM_RELEASES_URL:
      'where the releases of the registry and of Trivy are downloaded from, instead of `https://github.com`; `off` builds them. Their hashes are pinned, so a mirror needs no trust',
    TRIVY_DB_REPOSITORY:
      "repository of the vulnerability database, in any registry; Trivy's by default",
    TRIVY_JAVA_DB_ENABLED:
      'whether the index of Java archives (400 MB and more) is fetched; without it, only archives that name their version are judged',
    TRIVY_JAVA_DB_REPOSITORY:
      'repository of that index; without it, `trivy-java-db:1` beside `TRIVY_DB_REPOSITORY`',
    TRIVY_RESCAN_ENABLED:
      'whether tagged images of the built-in registry are compared with each update of the database in the background, or scanned again where that is not possible',
    TRIVY_DB_UPDATE_HOURS: 'hours between checks for a newer database',
    EPSS_URL:
      'address of the scores of EPSS, read daily: a URL, `oci://registry/repository:tag`, or `off`. See [feeds](scanning.md#feeds-of-exploited-vulnerabilities)',
    KEV_URL: 'address of the catalog of known exploited vulnerabilities (KEV), in the same forms',
    VULN_SCAN_ENABLED: 'whether images are scanned; yes by default',
    VULN_SCAN_SEVERITIES: 'which severities block a push; `CRITICAL,HIGH` by default',
    VULN_IGNORE_UNFIXED: 'whether findings without a fix don’t block',
    VULN_SCAN_TIMEOUT: 'time limit of one scan: seconds, or a duration such as `5m` (the default)',
    SCAN_MAX_UNPACKED_BYTES:
      'largest unpacked size of an image; a larger one is not scanned (verdict `error`). Beyond 512 MiB also at most 200 times the packed size',
    VULN_ON_ERROR: '`block` (the default) or `allow` images that could not be judged',
    VULN_THIRD_PARTY:
      'packages that are not from the operating system’s maker and have no advisories, and Java archives that are not known: `partial` (the default) leaves the image partly judged, `accept` ignores them',
    VULN_OVERRIDE: 'who may relax the gate for one job: `privileged` (the default) or `anyone`',
    VULN_MAX_DATABASE_AGE_DAYS:
      'greatest age of the vulnerability database behind a verdict, in days; with an older one pushes are refused. `0` (the default): no limit',
  },
  'Other hosts': {
    EGRESS_ALLOW:
      'networks or `host[:port]`, separated by commas, that all accounts and webhooks may use although they are private',
    EGRESS_DENY:
      'networks or `host[:port]`, separated by commas, that no account and no webhook may use',
    HTTP_PROXY: 'proxy for plain HTTP',
    HTTPS_PROXY: 'proxy for HTTPS',
    NO_PROXY: 'hosts and networks that are connected to directly',
    DOCKERHUB_API_URL: "address of Docker Hub's search",
    DOCKERHUB_HOST: "host of Docker Hub's registry, or of a mirror",
    PULL_GATE_WAIT_SECONDS:
      'how long a pull from a folder with `pull_gate` `enforce` waits for the scan of an image, 0 to 50',
    REGISTRY_EVENTS_SECRET:
      'bearer token of an external registry’s notifications, which it sends to `/registry-events`',
  },
  Workers: {
    WORKER_STAGES:
      'stages that this process runs, so that scanners can be scaled separately. A worker with a separate `DATA_DIR` needs all three. `none`: only garbage collection of the registry whose storage it has',
    WORKER_CONCURRENCY: 'concurrent jobs: one number, or one for each stage',
    WORKER_GRACE_SECONDS:
      'time to finish jobs after SIGTERM; unfinished jobs are returned to the queue',
    DISK_RESERVE:
      'space to keep free on the disks of `DATA_DIR` and `REGISTRY_STORAGE`: a size (`10GiB`) or a share (`5%`); by default the larger of 1 GiB and 5 %. See [a disk that fills up](operations.md#a-disk-that-fills-up)',
    STAGING_KEEP_DAYS:
      'days that a pushed, failed or cancelled job keeps its image in `DATA_DIR`; the image goes earlier where room is needed, and later pushes read it from its source again. 0: only where room is needed',
    BLOB_CONCURRENCY: 'concurrent blobs of one image',
    MAX_PER_HOST: 'concurrent requests to one registry',
    PLACE_KEPT_SECONDS:
      'time that a pull or push keeps its slot; after that it may be returned to the queue while jobs of another account wait',
    SILENCE_SECONDS:
      'time without a byte from another registry after which the connection is closed',
    LEAST_BYTES_PER_SECOND:
      'least rate of a connection to another registry, on average over a minute; 0: no limit',
    STAGE_TRIES: 'tries of a stage for temporary faults',
    STAGE_BACKOFF_SECONDS: 'delay before the second try; it doubles with each try',
    STAGE_BACKOFF_MAX_SECONDS: 'longest delay between tries',
    SWEEP_SECONDS:
      'seconds between searches for lost jobs; below 10, the worker also searches for other work that is due more often, in proportion',
    RECONCILE_SECONDS: 'seconds between comparisons of the image index with the local registry',
    API_GRACE_SECONDS: 'time for running requests to end after SIGTERM',
  },
  'Audit and notification': {
    AUDIT_MAX_EVENTS: 'events that the stream keeps',
    AUDIT_RETENTION_DAYS: 'days that the archive keeps events',
    EMAIL_ENABLED: 'whether e-mail is sent',
    EMAIL_HOST: 'host of the mail server',
    EMAIL_PORT: 'port of the mail server; 587 by default',
    EMAIL_SECURITY: '`none`, `starttls` (the default; never falls back to plain text) or `ssl`',
    EMAIL_USERNAME: 'user at the mail server',
    EMAIL_PASSWORD: 'password at the mail server',
    EMAIL_FROM_ADDRESS: 'sender',
    EMAIL_TO_ADDRESSES: 'recipients, separated by commas',
    EMAIL_NOTIFY_LOGIN: 'a message for each web login and logout',
    EMAIL_NOTIFY_AUDIT: 'a message for every other audited operation',
    EMAIL_EHLO_NAME:
      "name of this client in EHLO; the host's if unset, or the domain of the sender where that has no dot",
    EMAIL_TLS_VERIFY: 'whether the certificate of the mail server is verified; yes by default',
    EMAIL_TLS_CA_CERT: "path of a private authority's certificates",
    EMAIL_GATHER_SECONDS: 'time that events are collected for one message',
    EMAIL_OWNERS_GATHER_SECONDS:
      'the same for mails to the owners of images that are blocked or allowed again',
    SYSLOG_ENABLED: 'whether syslog forwarding is on',
    SYSLOG_HOST: 'host of the collector',
    SYSLOG_PORT: 'port of the collector; 514 by default',
    SYSLOG_PROTOCOL: '`udp` (the default), `tcp` or `tcp+tls`',
    SYSLOG_RFC: '`rfc3164` or `rfc5424` (the default)',
    SYSLOG_FRAMING:
      'over TCP and TLS: `octet-counting` (the default), or `newline` for collectors that read lines; see [oversight](oversight.md#syslog-collectors)',
    SYSLOG_FORWARD_AUDIT: 'whether audit events are forwarded; yes by default',
    SYSLOG_FORWARD_UVICORN: 'whether the logs of all processes are forwarded as well',
    SYSLOG_TLS_VERIFY: 'whether the certificate of the collector is verified; yes by default',
    SYSLOG_TLS_CA_CERT: "path of a private authority's certificates",
    SYSLOG_TLS_CLIENT_CERT:
      'path of a client certificate, by which collectors authenticate senders',
    SYSLOG_TLS_CLIENT_KEY: 'path of the key of the client certificate',
    SYSLOG_AUTH_ENABLED: 'whether the following two are sent as structured data `auth@32473`',
    SYSLOG_AUTH_USERNAME: 'username in the structured data',
    SYSLOG_AUTH_PASSWORD: 'password in the structured data',
  },
  'Single sign-on': {
    OIDC_ENABLED: 'whether single sign-on is on; see [single sign-on](oidc.md)',
    OIDC_PROVIDER_NAME: 'text of the button',
    OIDC_ISSUER: 'issuer, exactly as the provider names itself',
    OIDC_CLIENT_ID: 'client id at the provider',
    OIDC_CLIENT_SECRET: 'client secret; none for a public client',
    OIDC_SCOPES: 'requested scopes',
    OIDC_USERNAME_CLAIM: 'claim with the username of a new account',
    OIDC_GROUPS_CLAIM: 'claim with the groups',
    OIDC_TOKEN_AUTH_METHOD:
      'how the client secret is sent: `client_secret_basic`, `client_secret_post`, or `auto` for the one that the provider lists first',
    OIDC_CLOCK_TOLERANCE_SECONDS: 'by how much the clock of the provider may differ; 60 if unset',
    OIDC_ADMIN_GROUPS: 'groups whose members are administrators',
    OIDC_ALLOWED_GROUPS: 'groups whose members may log in; empty: all',
    OIDC_GROUP_MAPPING:
      'groups of the provider to groups here: `provider-group=portcullis-group,…`',
    OIDC_ONLY: 'whether password logins are refused',
    OIDC_ALLOW_INSECURE: 'whether plain HTTP to another host is allowed',
    OIDC_CA_CERT: 'PEM of a private certificate authority',
  },
  'Logs and metrics': {
    LOG_LEVEL: 'least level that is logged: `trace`, `debug`, `info`, `warn` or `error`',
    HEARTBEAT_FILE:
      'file whose time is updated while the process is healthy, for a container health check',
    METRICS_TOKEN:
      'bearer token that Prometheus sends to `/metrics`; without it, that path does not exist',
    METRICS_PORT: 'separate port for the metrics of this process',
    METRICS_HOST: 'interface of that port',
    SWAGGER_ENABLED:
      'whether the interactive API docs are at `/api/docs`, and the document at `/api/openapi.json`',
    SAMPLE_DATA:
      'whether every page says that images and vulnerabilities are made up, as with `npm run demo`',
    RELEASE_CHECK_URL:
      'address that is asked for the latest release; without it, no request is sent',
    APP_VERSION: 'version in `/api/version`',
    APP_COMMIT: 'commit in `/api/version`',
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT:
      'URL of a collector of OpenTelemetry, to which `/v1/traces` is appended; without it, [nothing is traced](operations.md#traces)',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'URL for traces, taken as it is, in place of that',
    OTEL_EXPORTER_OTLP_PROTOCOL: '`http/protobuf` or `http/json`',
    OTEL_EXPORTER_OTLP_HEADERS:
      'headers of the requests to the collector: `name=value,name=value`, values percent-encoded',
    OTEL_SERVICE_NAME: '`service.name`; `portcullis-api` and `portcullis-worker` if unset',
    OTEL_RESOURCE_ATTRIBUTES: 'more attributes of the processes: `name=value,name=value`',
    OTEL_TRACES_SAMPLER:
      'which traces are recorded: `always_on`, `always_off`, `traceidratio`, or one of these with `parentbased_` before it, which does what the caller did and applies to traces that begin here',
    OTEL_TRACES_SAMPLER_ARG: 'part of the traces that `traceidratio` records, from 0 to 1',
    OTEL_SDK_DISABLED: '`true`: nothing is traced, whatever else is set',
  },
};

/** Variables that our own programs set for each other. */
export const INTERNAL = ['PORTCULLIS_PARENT', 'PATH'];
