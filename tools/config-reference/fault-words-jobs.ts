/**
 * What the codes outside the REST contract mean: in `error` of a job, and where a process refuses
 * to start.
 */
import type { FaultWords } from './fault-words.ts';

const RETRY = 'Retry the job.';
const ADMIN_OF_SOURCE = 'Tell the operator of that registry.';

export const JOB_FAULTS: Record<string, Record<string, FaultWords>> = {
  'Reaching a registry': {
    HOST_UNRESOLVED: [
      'The name of the host has no address.',
      'Check the name, and the DNS servers of the workers.',
    ],
    REGISTRY_UNREACHABLE: [
      'No connection, or it broke; perhaps the registry speaks only TLS, or no TLS.',
      '*Test* of the saved registry; `use_tls`; the proxy settings.',
    ],
    REGISTRY_TLS_FAILED: [
      'The certificate of the registry is not trusted.',
      '`ca_cert` of the saved registry; `tls_verify` off as the last resort.',
    ],
    PROXY_REFUSED: [
      'The HTTP proxy refused the connection to that host.',
      'The rules of the proxy, or `NO_PROXY`.',
    ],
    REGISTRY_SILENT: [
      'The registry accepted the request and then sent nothing for a minute (`SILENCE_SECONDS`).',
      RETRY,
    ],
    SHAPE_TIMEOUT: [
      'The built-in registry did not serve the configuration and the layers of an artifact within 15 seconds, so that the gate could not tell whether it is an image.',
      'Pull it again; check the storage of the registry.',
    ],
    REGISTRY_TOO_SLOW: [
      'Less than 1 KiB a second over a minute (`LEAST_BYTES_PER_SECOND`).',
      'A nearer mirror; a lower limit where the line is that slow.',
    ],
    REDIRECT_REFUSED: [
      'The registry redirects in a circle, without a location, or to an address that is not allowed.',
      ADMIN_OF_SOURCE,
    ],
    REALM_REFUSED: [
      'The registry names a token service without TLS on another machine.',
      ADMIN_OF_SOURCE,
    ],
    REGISTRY_UNAUTHENTICATED: ['The registry requires a valid login.', 'Save the right one.'],
    REGISTRY_FORBIDDEN: [
      'The registry knows the login, which has no right to that repository.',
      'Grant the right in that registry.',
    ],
    REGISTRY_REFUSED: [
      'The registry refused the request; the message has its own code.',
      'Correct what the message names.',
    ],
    REGISTRY_FAILED: ['The registry answered with a server error.', 'Look at its log.'],
    REGISTRY_ANSWER_INVALID: [
      'The answer of the registry does not follow the distribution specification.',
      ADMIN_OF_SOURCE,
    ],
    REGISTRY_ANSWER_TOO_LARGE: [
      'A list of the registry is larger than the limit.',
      ADMIN_OF_SOURCE,
    ],
    REGISTRY_LACKS_BLOB: [
      'The registry lost a blob of the image while it was pushed.',
      'Retry the job; look at what deletes blobs there.',
    ],
    REGISTRY_CHANGED: [
      'The saved registry of a schedule has another host since.',
      'Save the schedule again.',
    ],
    STORE_FAILED: [
      "The bucket of the registry's storage refused, or failed.",
      'See [images in a bucket](s3.md).',
    ],
  },
  'Content of images': {
    MANIFEST_UNKNOWN: ['The registry has no such tag or digest.', 'Check the tag.'],
    BLOB_UNKNOWN: ['The registry has no such blob.', ADMIN_OF_SOURCE],
    LAYER_FOREIGN: [
      'A non-distributable layer is not in the registry; we never fetch from its `urls`.',
      'Push the layer to the source registry.',
    ],
    MANIFEST_INVALID: [
      'The manifest is not valid, or two JSON parsers may read it differently.',
      'Build the image again with a current tool.',
    ],
    MANIFEST_SCHEMA1: [
      'The image is a Docker manifest of version 2, schema 1.',
      'Push it again with a current docker.',
    ],
    MANIFEST_UNSUPPORTED: [
      'The media type of the manifest is unknown.',
      'Only OCI and Docker v2 schema 2 manifests and indexes are copied.',
    ],
    MANIFEST_TOO_LARGE: [
      'A manifest, or all manifests of the image together, are over the limit.',
      ADMIN_OF_SOURCE,
    ],
    MANIFEST_TOO_DEEP: ['Indexes are nested too deeply.', ADMIN_OF_SOURCE],
    MANIFEST_TOO_WIDE: [
      'A manifest has too many layers, or an index too many manifests.',
      'Choose platforms of the index, or raise `MAX_MANIFEST_CHILDREN`.',
    ],
    DIGEST_MISMATCH: [
      'The bytes do not have the digest that the manifest names.',
      'A proxy between alters them, or the registry is damaged.',
    ],
    SIZE_MISMATCH: [
      'A blob does not have the size that the manifest names.',
      'A proxy between alters it, or the registry is damaged.',
    ],
    SIZE_INVALID: [
      'A manifest states another size of its content.',
      'Build the image again with a current tool.',
    ],
    CONTENT_TRUNCATED: ['The content ended early.', RETRY],
    CONTENT_OFFSET: [
      'The registry resumed a download at another position than was asked for.',
      RETRY,
    ],
    RANGE_IGNORED: [
      'The source serves no parts of a blob, which the proof of possession needs.',
      'The job fetches the whole blob instead.',
    ],
    TARGET_NOT_VISIBLE: [
      'The target accepted a push, and for eight seconds answered that it does not have it.',
      RETRY,
    ],
    TARGET_DIGEST_MISMATCH: [
      'The target has another digest than was copied.',
      'Another client may push the same tag; push again.',
    ],
    REFERRERS_TOO_MANY: [
      'More than 10,000 manifests refer to the image.',
      'The others are left behind. With `include_referrers: required`: use `true`.',
    ],
    REFERRERS_LIST_INVALID: [
      'What the source answers as the list of referrers is no list.',
      ADMIN_OF_SOURCE,
    ],
    REFERRERS_NOT_REQUESTED: [
      'Three requests for referrers in a row were not answered, or a hundred failed, so that the others were not made.',
      'Transfer the image again once the registry answers.',
    ],
    REFERRER_IS_IMAGE: [
      'A referrer is an image or changes how an image is unpacked. It is never copied as a referrer.',
      'Pull and scan it by a job.',
    ],
    REFERRER_INCOMPLETE: [
      'A blob of a referrer, or the referrer that it refers to, was left behind.',
      'The other notes of the job name the cause.',
    ],
    PATTERN_TOO_COSTLY: [
      'The pattern of a transfer takes too many steps: for each character of a tag, or for all tags of the repository together.',
      'Smaller counted repeats, or a glob in place of the expression.',
    ],
    TOO_MANY_TAGS: [
      'The pattern of a transfer selects more tags than one transfer may have.',
      'A narrower pattern, or `newest`.',
    ],
  },
  'Work and storage': {
    DISK_RESERVE: [
      'Less than the reserve is free on the disk, or a pull would leave less than twice the reserve, or an older pull waits for the room. The message says how much is needed.',
      'Nothing while other jobs end; else delete staged jobs, [collect garbage](garbage.md), a larger disk; the job continues automatically.',
    ],
    DISK_UNWRITABLE: [
      'The worker cannot write to its `DATA_DIR`, as after an I/O error; the message has the code of the system. It takes nothing until it can, and no attempt is counted.',
      'Look at the disk and its mount; see [a disk that takes no writes](operations.md#a-disk-that-takes-no-writes).',
    ],
    DISK_TOO_SMALL: [
      'The image says that it is larger than the whole disk without the reserve.',
      'A larger disk; or a source with correct sizes.',
    ],
    STORAGE_FULL: [
      'There is no space in `DATA_DIR`.',
      'Delete staged jobs, [collect garbage](garbage.md); then retry.',
    ],
    STORAGE_FAILED: [
      'The file system of `DATA_DIR` failed; the message has its code.',
      'Look at the disk and its mount.',
    ],
    MOVER_LOST: [
      'A thread of the worker ended while it downloaded a blob; the log has the cause.',
      'None: the job is retried by itself, and continues where it was.',
    ],
    LAYOUT_GONE: ['The layout of the job was removed while it was written.', RETRY],
    LAYOUT_INVALID: ['The layout of the job is damaged.', 'Pull the image again.'],
    NOT_PULLED: [
      'The image is no longer in the `DATA_DIR` of the worker that has the job.',
      'Pull it again; give no copy of a `DATA_DIR` to a second worker without deleting `storage-id`.',
    ],
    PUSH_UNKNOWN: ['The job has nothing to push.', 'Push the image again.'],
    FENCED_OUT: ['Another worker has taken over the job.', 'Nothing: that worker continues.'],
    WORKER_LOST: [
      'Three workers that ran the maintenance task stopped answering.',
      'Memory and log of the workers; then start the task again.',
    ],
    TOO_MANY_TRIES: [
      'Several workers died while they ran this job.',
      'Memory and log of the worker.',
    ],
    REGISTRY_BUSY: [
      'Writes to the registry did not end within two minutes, or another collection holds the registry.',
      'Collect garbage again at a quieter hour.',
    ],
    GC_FAILED: [
      "The garbage collection failed: a manifest can't be read, or the registry's collector ended with an error.",
      'Correct what the message names, then collect again; nothing that is needed was deleted.',
    ],
    GATE_LOST: [
      'The lock of the garbage collection was lost, so writes are possible again.',
      'Look at Redis, then collect again.',
    ],
    FILE_TOO_LARGE: [
      "A manifest or link in the registry's storage is larger than any valid one.",
      'Look at the file that the message names.',
    ],
    SECRET_UNREADABLE: [
      "A stored secret can't be decrypted.",
      'Give the old key as `SECRET_KEY_PREVIOUS` and [rotate](command.md#another-secret-key).',
    ],
  },
  Scans: {
    SCAN_DATABASE_MISSING: [
      'The vulnerability database has not been downloaded yet.',
      'Wait for it: the page *System* shows the download.',
    ],
    SCAN_DATABASE_INVALID: [
      'The vulnerability database is missing or damaged.',
      'Update it; the log of the worker.',
    ],
    DATABASE_SOURCE_UNREACHABLE: [
      'The registry with the vulnerability database or the Java index cannot be reached.',
      'The proxy settings, or [a copy](air-gap.md).',
    ],
    DATABASE_SOURCE_REFUSED: [
      'The registry with the database refused anonymous access, or the login of `REGISTRY_URL`.',
      'A source without a login, or [a copy](air-gap.md) in the built-in registry.',
    ],
    DATABASE_SOURCE_UNKNOWN: [
      'The registry has no such repository or tag.',
      '`TRIVY_DB_REPOSITORY` or `TRIVY_JAVA_DB_REPOSITORY`; copy it there ([copies](air-gap.md)).',
    ],
    DATABASE_SOURCE_RATE_LIMITED: [
      'The registry with the database answers 429.',
      'Wait, or use [a copy](air-gap.md).',
    ],
    DATABASE_SOURCE_UNTRUSTED: [
      'The certificate of the registry with the database is not trusted.',
      'Its authority, in the trust store of the system that the worker runs on.',
    ],
    DATABASE_NO_SPACE: [
      'The disk is full: the database was not stored.',
      'Free space in `DATA_DIR`.',
    ],
    DATABASE_TIMEOUT: [
      'The download of the database took too long.',
      'The connection, or [a nearer copy](air-gap.md).',
    ],
    DATABASE_DOWNLOAD_FAILED: [
      'The database was not downloaded for another reason.',
      'The log of the worker has what Trivy printed.',
    ],
    DATABASE_REJECTED: [
      'The new database is damaged, older or far smaller than the present one.',
      'Look at its source.',
    ],
    SCAN_OUTDATED: [
      'Ten scans for one push, each by an older database than the pushing worker has.',
      'Workers that share a `DATA_DIR` use one database: the log of the worker says why it is not updated.',
    ],
    SCAN_CONFIG_INVALID: [
      'The configuration of the image is damaged, too large, or two JSON parsers may read it differently.',
      'Build the image again with a current tool.',
    ],
    SCAN_LAYER_INVALID: [
      "A layer can't be unpacked, or the configuration names other layers than the image has.",
      'Build the image again with a current tool.',
    ],
    SCAN_LAYOUT_INVALID: ['The staged image is incomplete.', 'Pull it again.'],
    SCAN_LAYERS_MISMATCH: [
      'Trivy reported on other layers than it was given.',
      'The log of the worker; a wrong `TRIVY_PATH`.',
    ],
    SCAN_TOO_LARGE: [
      'The image unpacks to more than `SCAN_MAX_UNPACKED_BYTES`, or to more than 200 times its size.',
      'Build it without that file; raise the setting.',
    ],
    SCAN_TIMEOUT: ['The scan took longer than `VULN_SCAN_TIMEOUT`.', 'Raise it.'],
    SCAN_OUT_OF_MEMORY: [
      'The scanner was killed, most likely for lack of memory.',
      'More memory for the worker.',
    ],
    SCAN_NO_SPACE: [
      'The scratch space of the scan is full.',
      'More space in the temporary directory of the worker.',
    ],
    SCAN_CACHE_FAILED: [
      'The layer cache of the scan (Redis) failed.',
      'Look at Redis; the scan is tried again.',
    ],
    SCAN_REPORT_INVALID: [
      "The report of the scanner can't be read.",
      'A wrong `TRIVY_PATH`; the log of the worker.',
    ],
    SCAN_REPORT_TOO_LARGE: [
      'The report of the scanner is over the limit.',
      'Choose platforms of the image.',
    ],
    SCAN_FAILED: [
      'The scanner failed; the message has its reason.',
      'The log of the worker; *Scan again*.',
    ],
    REMATCH_UNAVAILABLE: [
      "The scanner's server, which compares images with a new database, does not start.",
      'The log of the worker says why; the images are scanned instead.',
    ],
    REMATCH_FAILED: [
      "The scanner's server did not answer for an image.",
      'Nothing: the image is scanned instead.',
    ],
  },
  'Threat feeds': {
    FEED_UNAVAILABLE: [
      'The source of the feed answered with another status than 200, or took too long.',
      '`EPSS_URL` and `KEV_URL`, the proxy settings, or [an import](scanning.md#feeds-of-exploited-vulnerabilities).',
    ],
    FEED_INVALID: [
      'The file is damaged, over a limit, or not the one that is published; the message names the line or field.',
      'Download it again from its publisher.',
    ],
    FEED_TOO_LARGE: ['The file is over the limit of 64 MiB.', 'Look at its source.'],
    FEED_OLDER: [
      'The file is older than the one that is kept, which stays.',
      'A mirror that is up to date.',
    ],
  },
};

export const START_FAULTS: Record<string, FaultWords> = {
  ENV_INVALID: [
    'Variables are wrong; all of them are listed.',
    'Correct them; give a secret as `NAME` or as `NAME_FILE`, not both.',
  ],
  DATA_DIR_IN_USE: ['Another `npm start` uses this directory.', 'Stop it, or set `DATA_DIR`.'],
  DATA_DIR_UNUSABLE: [
    "The directory can't be created or written; the message says why.",
    'Let the account that runs Portcullis own it, or set `DATA_DIR`.',
  ],
  STORAGE_ID_INVALID: [
    "The file `storage-id` in a worker's `DATA_DIR` is empty or damaged.",
    'Delete the file: staged images of that directory are pulled again.',
  ],
  PORT_IN_USE: ['Another program has the port.', 'Set `PORT`.'],
  SECRET_KEY_INVALID: [
    'The secret key is too short, or its file holds none.',
    '32 bytes in hex or base64, or at least 16 characters.',
  ],
  REDIS_CLUSTER: [
    '`REDIS_URL` leads to a node of a Redis Cluster.',
    'One primary, with Sentinels or without ([forms of Redis](services.md#redis)).',
  ],
  DATABASE_NOT_MIGRATED: [
    'Tables of this release are missing.',
    '`portcullis migrate`, which `npm start`, compose and the chart run by themselves.',
  ],
  DATABASE_LOCKED: [
    'Another session holds the lock of migrations, or a table that a migration or a restore needs; the message names it where PostgreSQL does.',
    'Wait for the other migration or restore. `SELECT pg_terminate_backend(…)` ends a session that was left behind.',
  ],
  SCHEMA_FORBIDDEN: [
    'The account of `DATABASE_URL` has no schema in which it may create tables.',
    'Run the statement that the message shows ([schema](install.md#an-external-postgresql)).',
  ],
  DATABASE_POOLER: [
    '`DATABASE_URL` has `?schema=`, and leads through a pooler of connections.',
    'Set `search_path` of the account instead ([poolers](install.md#an-external-postgresql)).',
  ],
  DATABASE_NEWER: [
    'A newer release has changed the tables.',
    'Run that release, or restore a backup of this one ([upgrading](upgrade.md)).',
  ],
  RESTORE_UNFINISHED: [
    'A restore is running, or was interrupted when it had begun to replace things.',
    'If none is running, `portcullis restore` again with the same backup, or with another one and `--force`.',
  ],
  MIGRATION_FAILED: [
    'A migration failed; the message names it.',
    'Restore the backup, and report the fault.',
  ],
  MIGRATION_EDITED: [
    'A migration was changed after it was applied.',
    'Use the files of the release.',
  ],
  PROGRAM_MISSING: [
    'A program that `npm start` needs is neither on `PATH` nor could be fetched or built.',
    'Install it, or set the variable that the message names.',
  ],
  POSTGRES_MISSING: [
    'The embedded PostgreSQL is not installed for this machine.',
    'Set `DATABASE_URL`.',
  ],
  NO_ACCOUNT: [
    'PostgreSQL does not run as root, and no other account exists.',
    'Run Portcullis as an ordinary user, or set `DATABASE_URL`.',
  ],
  SOCKET_PATH_TOO_LONG: [
    'The path of a Unix socket is longer than the system allows.',
    'A shorter `DATA_DIR` or `TMPDIR`.',
  ],
  SERVICE_FAILED: [
    'An embedded service ended; the message has its last lines.',
    'Correct what they name.',
  ],
  START_FAILED: ['A process does not stay up; the message names its log.', 'Look at that log.'],
};

export const COMMAND_FAULTS: Record<string, FaultWords> = {
  USAGE: ['The arguments are wrong.', '`portcullis help <command>`.'],
  STARTING: ['The installation is being started.', 'Try again in some seconds.'],
  PROCESSES_RUNNING: ['Processes of Portcullis are running.', 'Stop all of them first.'],
  NOT_EMPTY: ['The target has accounts or images.', '`--force` replaces them.'],
  POLICY_INVALID: [
    'The file of `policies apply` is not JSON, or not a policy; the message names each wrong field.',
    'Correct the file; `portcullis policies show <name>` prints a valid one.',
  ],
  POLICY_TOO_LARGE: [
    'The file of `policies apply` is over the limit of 1 MiB.',
    'Use fewer rules.',
  ],
  BACKUP_TOO_LARGE: [
    'The names of its files are longer than 500 MiB, which no restore reads.',
    "`--without-images`, and a backup of the registry's storage directory.",
  ],
  BACKUP_DAMAGED: [
    'The backup is incomplete or was changed; the message says where.',
    'Use another backup.',
  ],
  BACKUP_NEWER: ['A newer release made the backup.', 'Restore it with that release.'],
  REGISTRY_LOGIN_MISSING: [
    'REGISTRY_URL contains no user and password.',
    'Add a login with a random password to it.',
  ],
  FOLDER_MISSING: ['The directory of the backup does not exist.', 'Create it first.'],
  FILE_CHANGED: ['A file became shorter while it was copied.', 'Make the backup again.'],
  NOT_TO_A_TERMINAL: ['Standard output is a terminal.', 'Redirect it to a file.'],
  STORAGE_UNKNOWN: [
    "The command does not know where the registry's storage is.",
    'Set `REGISTRY_STORAGE`, or use `--without-images` and a backup of the storage.',
  ],
  PASS_PHRASE_INVALID: [
    'The pass phrase is too short, or the two entries differ.',
    'Enter another one.',
  ],
  PASS_PHRASE_MISSING: [
    'The backup has a key, and no pass phrase was given.',
    'Read it from a file, or `--without-key`.',
  ],
  PASS_PHRASE_WRONG: [
    'The pass phrase does not decrypt the key of the backup.',
    'Enter the right one.',
  ],
  PREVIOUS_KEY_MISSING: ['`rotate-key` needs the previous key.', 'Set `SECRET_KEY_PREVIOUS`.'],
  SECRET_MISSING: [
    'Nothing was given on standard input.',
    'Write the password or pass phrase to standard input.',
  ],
  USERNAME_INVALID: ['The username is empty or longer than 255 characters.', 'Choose another.'],
  PASSWORD_INVALID: [
    'The password does not follow the rules, or the two entries differ.',
    'Choose one of 12 to 128 characters.',
  ],
};
