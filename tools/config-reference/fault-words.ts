/**
 * What each fault code of the REST API means and what to do about it: the words of
 * docs/guide/faults.md.
 */

/** What happened, and what the caller or the operator can do. */
export type FaultWords = readonly [happened: string, remedy: string];

const WAIT = 'Wait for `Retry-After` and send the request again.';
const ASK_RIGHT =
  'Ask an administrator for the right; `GET /api/folders/explain` shows which one is missing.';
const CORRECT = 'Correct the field that `errors` names.';

export const API_FAULTS: Record<string, Record<string, FaultWords>> = {
  'Requests of any kind': {
    REQUEST_MALFORMED: ["The path or a header can't be read.", 'Correct the request.'],
    ROUTE_UNKNOWN: [
      'There is nothing at this path.',
      'Check the path; the OpenAPI document has all of them.',
    ],
    METHOD_NOT_ALLOWED: [
      'The path exists under another method; `Allow` names those it has.',
      'Correct the method.',
    ],
    BODY_UNPARSABLE: ['The body is not JSON.', 'Send one JSON document in UTF-8.'],
    BODY_TOO_LARGE: [
      'The body is larger than this operation accepts.',
      'Send less; split a large transfer.',
    ],
    MEDIA_TYPE_UNSUPPORTED: [
      'The body is not declared as JSON.',
      'Send `Content-Type: application/json`.',
    ],
    ENCODING_UNSUPPORTED: [
      'The body has a content encoding that is not supported.',
      'Send it without one.',
    ],
    CHARSET_UNSUPPORTED: ['The body has another charset than UTF-8.', 'Send UTF-8.'],
    VALIDATION_FAILED: [
      'Fields are missing, unknown, ill-typed or out of range; `errors` lists all of them.',
      CORRECT,
    ],
    CURSOR_INVALID: [
      'The cursor is not one that a list gave.',
      'Follow the `Link` header as it is.',
    ],
    CURSOR_UNKNOWN: [
      'The list that this cursor continues is no longer known.',
      'Begin at the first page.',
    ],
    IDEMPOTENCY_KEY_INVALID: [
      'The `Idempotency-Key` is empty, too long or has characters that it may not have.',
      'Send 1 to 255 visible ASCII characters.',
    ],
    IDEMPOTENCY_KEY_IN_USE: [
      'The first request with this key is still running.',
      'Wait, then send it again.',
    ],
    IDEMPOTENCY_KEY_REUSED: [
      'The key was used before with another body.',
      'Use a new key for each request.',
    ],
    NOT_FOUND: [
      'There is nothing with this id, or it is not visible to the caller.',
      'Check the id.',
    ],
    CROSS_ORIGIN: [
      'A request with the session cookie comes from another site.',
      'Set `PUBLIC_URL`; let the proxy send `Host`, `X-Forwarded-Host` and `X-Forwarded-Proto`.',
    ],
    RATE_LIMITED: [
      'The account (1,200 requests a minute) or the address without a valid credential (100) is over its budget.',
      WAIT,
    ],
    INTERNAL: [
      'An unexpected fault of the server. It is logged with the request id.',
      'Report it with `request_id` and the log of the api.',
    ],
  },
  'Login and tokens': {
    CREDENTIAL_MISSING: ['The request has no credential.', 'Log in, or send a bearer token.'],
    CREDENTIAL_UNSUPPORTED: [
      'The `Authorization` header has another scheme than Bearer.',
      'Send a bearer token.',
    ],
    TOKEN_INVALID: [
      'The token is expired, revoked or unknown, or the secret key was changed.',
      'Log in again, or create another token.',
    ],
    TOKEN_SCOPE: [
      'The token has another scope: `docker` tokens are for `/v2`, `api` tokens for REST.',
      'Use a token of the right scope.',
    ],
    TOKEN_UNKNOWN: ['The account has no token with this id.', 'List the tokens.'],
    TOKENS_MANY: ['The account or robot has as many tokens as it may have.', 'Revoke some.'],
    TOKEN_ACTION: [
      'The scope of the token lacks the action that the operation needs.',
      'Use a token whose scope has it; an operation without an action needs a token that is not limited.',
    ],
    ROBOT_UNKNOWN: ['There is no such robot, or none of a group of the caller.', 'Check the id.'],
    ROBOT_FORBIDDEN: [
      'The robot has a right that the caller lacks.',
      'Ask an administrator to manage its tokens.',
    ],
    ROBOTS_MANY: ['There are as many robots as there may be (2,000).', 'Delete some.'],
    TRUST_UNKNOWN: ['There is no such trust rule.', 'Check the id.'],
    TRUST_NAME_TAKEN: ['A trust rule of this name exists already.', 'Choose another name.'],
    TRUSTS_MANY: ['There are as many trust rules as there may be (500).', 'Delete some.'],
    IDENTITY_TOKEN_INVALID: [
      'The form, the signature, the issuer or the times of the identity token are not valid.',
      'Request another one from the CI system; check the clocks.',
    ],
    IDENTITY_TOKEN_EXPIRED: [
      'The identity token has expired, or was issued more than an hour ago.',
      'Request another one from the CI system.',
    ],
    IDENTITY_TOKEN_REPLAYED: [
      'The identity token was exchanged before, or used from another address.',
      'Request another one from the CI system for each exchange.',
    ],
    IDENTITY_UNTRUSTED: [
      'No trust rule accepts the issuer, the audience and the claims of the identity token.',
      'An administrator can try the token on the page *Robots*.',
    ],
    ISSUER_UNAVAILABLE: [
      'The keys of the issuer of the identity token can not be fetched.',
      'Check the issuer, the egress rules and the proxy; try again.',
    ],
    SESSION_REQUIRED: [
      "A token can't create or change tokens, schedules and saved registries: they would outlive it.",
      'Log in with a password or by single sign-on.',
    ],
    LOGIN_FAILED: [
      'The username or the password is wrong; the answer does not say which.',
      'Try again; `portcullis reset-password` sets another one.',
    ],
    LOGIN_THROTTLED: [
      'Too many wrong passwords for the account or from the address.',
      'Wait for `Retry-After`, or set another password (`portcullis reset-password`). Existing sessions and tokens work.',
    ],
    LOGINS_BUSY: ['Too many passwords are being checked at the same time.', WAIT],
    PASSWORDS_UNAVAILABLE: [
      "Passwords can't be checked at the moment.",
      'Look at the log of the api, then try again.',
    ],
    ACCOUNT_DISABLED: [
      'An administrator disabled the account.',
      'An administrator enables it, or `portcullis reset-password`.',
    ],
    PASSWORD_CHANGE_REQUIRED: [
      'The password was set by another person and must be changed first.',
      '`POST /api/auth/me/password`, or the web page.',
    ],
    PASSWORD_WRONG: ['The current password is wrong.', 'Enter the current password.'],
    PASSWORD_UNCHANGED: ['The new password is the old one.', 'Choose another.'],
    PASSWORD_NOT_LOCAL: [
      'The account belongs to the identity provider and has no password here.',
      'Change the password at the provider.',
    ],
    OIDC_ONLY: [
      'Password logins are switched off.',
      'Log in by single sign-on; `portcullis disable-oidc-only` switches passwords on.',
    ],
    OIDC_DISABLED: ['Single sign-on is not set up.', 'Set it up on the page *Settings*.'],
    OIDC_DENIED: [
      'The identity provider refused the login.',
      'Its words are in the audit event of the login (`reason`); look at its log.',
    ],
    OIDC_GROUPS_MISSING: [
      'Only members of allowed groups may log in, and the provider did not say the groups of the account.',
      'Let the provider send them; [groups](oidc.md#groups) has each cause.',
    ],
    OIDC_NOT_ALLOWED: [
      'The account is in none of the allowed groups.',
      'Add it to one of `OIDC_ALLOWED_GROUPS`.',
    ],
    OIDC_USERNAME_TAKEN: [
      'No username is free for this identity.',
      'Rename or delete accounts with that name.',
    ],
    OIDC_STATE_INVALID: [
      'The login was not begun in this browser, or took too long.',
      'Begin the login again.',
    ],
    OIDC_LOGIN_FAILED: [
      "The provider's answer could not be verified.",
      'Check client id, secret, issuer and clock; *Test* shows each step.',
    ],
    OIDC_PROVIDER_UNAVAILABLE: [
      "The identity provider can't be reached.",
      'Check its address and the proxy; *Test* shows each step.',
    ],
    OIDC_ONLY_NO_ADMIN: [
      'No administrator has logged in by this provider yet, so this would lock out every administrator.',
      'Log in by the provider as an administrator first.',
    ],
  },
  'Accounts, groups and folders': {
    ADMIN_ONLY: ['The operation is for administrators.', 'Ask an administrator.'],
    USER_UNKNOWN: ['There is no such account.', 'Check the id or the name.'],
    USERNAME_TAKEN: ['Another account has this username.', 'Choose another.'],
    LAST_ADMIN: [
      'No active administrator would be left.',
      'Make another account an administrator first.',
    ],
    GROUP_UNKNOWN: ['There is no such group.', 'List the groups.'],
    GROUP_NAME_TAKEN: ['Another group has this name.', 'Choose another.'],
    MEMBER_UNKNOWN: ['The account is not a member of the group.', 'List the members.'],
    PERMISSION_UNKNOWN: [
      'The group has no entry in this folder.',
      'List the permissions of the folder.',
    ],
    FOLDER_UNKNOWN: ['There is no such folder.', 'List the folders.'],
    FOLDER_NAME_TAKEN: ['A folder has this name.', 'Choose another.'],
    FOLDER_NOT_EMPTY: [
      'Repositories are in the folder.',
      'Delete them first, or `?force=true`: then they belong to `__root__`.',
    ],
    PATTERN_INVALID: [
      'A pattern of immutable tags or of a retention rule does not parse as a glob.',
      'Correct the pattern that `errors` names.',
    ],
    TAG_IMMUTABLE: [
      'The folder has a pattern that the tag matches, and the tag exists: it can be neither moved to another digest nor deleted.',
      'Push to another tag; or let an administrator remove the pattern from `immutable_tags` of the folder.',
    ],
    QUOTA_EXCEEDED: [
      'What would be added exceeds the quota of the folder (`quota_bytes`), or the folder is full. The message says how much is used; the `detail` over `/v2` has the numbers.',
      'Delete images of the folder; or let an administrator raise the quota. What the folder has already may be pushed again.',
    ],
    RETENTION_UNSET: [
      'The folder has no retention rule.',
      'Save one in `retention` of the folder.',
    ],
    FOLDER_PROTECTED: ["`__root__` can't be deleted.", 'Change its permissions instead.'],
    FOLDER_FORBIDDEN: [
      'The account lacks `can_pull` or `can_push` on the folder that applies.',
      ASK_RIGHT,
    ],
    PULL_EXTERNAL_FORBIDDEN: [
      'No group of the account has `can_pull_external` on any folder.',
      ASK_RIGHT,
    ],
    PUSH_EXTERNAL_FORBIDDEN: [
      'No group of the account has `can_push_external` on any folder.',
      ASK_RIGHT,
    ],
  },
  'Images and registries': {
    IMAGE_UNKNOWN: ['There is no such image or tag.', 'Check repository and tag.'],
    REPOSITORY_UNKNOWN: ['There is no such repository.', 'Check the name.'],
    PLATFORM_UNKNOWN: [
      'The image has no such platform; the answer names those it has.',
      'Choose one of them.',
    ],
    DELETE_UNSUPPORTED: [
      'The registry does not allow deletion.',
      'Enable it there, or delete in that registry.',
    ],
    CATALOG_CLOSED: [
      'The registry does not list its repositories to this login.',
      'Name the repository, or save a login that may list them.',
    ],
    REGISTRY_NOT_INDEXED: [
      'The index of this registry is not complete enough for the tree.',
      'Use the list of repositories.',
    ],
    REGISTRY_UNKNOWN: [
      'There is no saved registry with this id, or it belongs to another account.',
      'List the registries.',
    ],
    REGISTRY_SYSTEM: [
      "The built-in registry can't be changed or deleted.",
      'Save another registry.',
    ],
    REGISTRIES_MANY: ['The account has as many saved registries as it may have.', 'Delete some.'],
    USERNAME_REQUIRED: ['A password needs a username.', 'Send both or neither.'],
    PASSWORD_REQUIRED: ['A username needs a password.', 'Send both or neither.'],
    CA_CERT_INVALID: [
      'The certificate is not a PEM certificate.',
      'Send one or several `BEGIN CERTIFICATE` blocks.',
    ],
    REGISTRY_LOGIN_REFUSED: [
      'The registry refuses the saved login.',
      'Save the right one; *Test* checks it.',
    ],
    LOGIN_WITHHELD: [
      'The token service of the registry is on another domain, so the login was not sent to it. In `error` of a job, too.',
      'If it belongs to the registry, save the registry with its host in `token_hosts`.',
    ],
    SOURCE_LOGIN_REFUSED: [
      'The source refuses the login of the request.',
      'Correct username and password.',
    ],
    REGISTRY_UNAVAILABLE: [
      "The registry can't be reached, or answers with a fault.",
      'Check that it runs; *Test* of the saved registry.',
    ],
    REGISTRY_TIMEOUT: [
      'The registry does not answer in time.',
      'Try again; look at the load of that registry.',
    ],
    REGISTRY_RATE_LIMITED: [
      'The registry is rate-limiting us.',
      'Wait for `Retry-After`; save a login for Docker Hub.',
    ],
    REGISTRY_COLLECTING: [
      'The built-in registry accepts no writes while garbage is deleted.',
      WAIT,
    ],
    DOCKERHUB_UNAVAILABLE: [
      'The search of Docker Hub does not answer.',
      'Pull by name: that uses another host.',
    ],
    EGRESS_PRIVATE: [
      'The address is private or loopback, and the account is no administrator.',
      'An administrator saves the registry, or `EGRESS_ALLOW`.',
    ],
    EGRESS_DENIED: [
      '`EGRESS_DENY` names the address.',
      'Take it out of `EGRESS_DENY` if it should be reachable.',
    ],
    EGRESS_REFUSED: [
      'The address is link-local or a metadata service, which is never allowed.',
      'Use another address.',
    ],
    EGRESS_OWN_SERVICE: [
      'The address is the database, Redis or the built-in registry of this installation, which no request may reach; no setting allows it.',
      'For an image of the built-in registry give `source_registry_id` `__local__` and no host; otherwise use the address of another server.',
    ],
  },
  Webhooks: {
    WEBHOOK_UNKNOWN: [
      'There is no such webhook, or it is not of a folder that the account may push to.',
      'List the webhooks.',
    ],
    WEBHOOKS_MANY: ['There are 200 webhooks already.', 'Delete some.'],
    WEBHOOK_DISABLED: ['The webhook is disabled: nothing is sent.', 'Enable it first.'],
    URL_PRIVATE: [
      'The URL of the webhook leads to a private or loopback address.',
      'Use a public address, or name this one in `EGRESS_ALLOW` of the api and the notifier.',
    ],
    URL_DENIED: [
      'The URL of the webhook leads to a link-local or metadata address, which is never allowed, or to one that `EGRESS_DENY` names.',
      'Use another address.',
    ],
    DELIVERY_UNKNOWN: [
      'There is no such delivery; ended ones are kept for seven days.',
      'List the deliveries.',
    ],
    DELIVERIES_MANY: [
      'The webhook has 10,000 waiting deliveries.',
      'Wait until its receiver accepts them, or delete the webhook.',
    ],
  },
  Policies: {
    POLICY_UNKNOWN: [
      'There is no such policy, or the account may read no folder and no registry that uses it.',
      'List the policies; null is the default one.',
    ],
    POLICY_PROTECTED: [
      'The default policy is made from the scan settings.',
      'Change it with `PUT /api/trivy/override`, or create another policy.',
    ],
    POLICY_NAME_TAKEN: ['Another policy has this name.', 'Choose another name.'],
    POLICY_CHANGED: [
      'The policy was changed since it was read.',
      'Read it again, and send its current `version`.',
    ],
    POLICY_IN_USE: [
      'Folders or saved registries use the policy; the text names them.',
      'Give them another policy first.',
    ],
    POLICIES_MANY: ['There are as many policies as there may be.', 'Delete one that nothing uses.'],
  },
  Waivers: {
    WAIVER_UNKNOWN: [
      'There is no such waiver, or the account may not see it.',
      'List the waivers.',
    ],
    WAIVER_FORBIDDEN: [
      'Requesting needs `can_push` on the folder; reviewing, and requesting for all folders, needs `can_bypass_vuln_block`. Robots may do neither.',
      ASK_RIGHT,
    ],
    WAIVER_OWN_REQUEST: [
      'The account requested this waiver itself.',
      'Another account with `can_bypass_vuln_block` approves it.',
    ],
    WAIVER_END_INVALID: [
      'The end is past, or more than 365 days away.',
      'Choose an end within 365 days.',
    ],
    WAIVER_CLOSED: [
      'The waiver was approved, rejected, revoked, or has ended.',
      'Request another one.',
    ],
    VEX_EMPTY: [
      'No waiver in force covers the image or folder.',
      'Request one; `GET /api/waivers?state=approved` lists those that are approved.',
    ],
    WAIVERS_MANY: [
      'The account has 500 waivers in the folder that wait for a review, or would have more.',
      'Wait until they are reviewed, or revoke some.',
    ],
    VEX_TOO_LARGE: [
      'The OpenVEX document would have, or makes, too many waivers or findings.',
      'Split the document, or export single images.',
    ],
    WAIVER_CHANGED: ['Another account changed the waiver at the same time.', 'Read it again.'],
    WAIVER_REQUESTER_FORBIDDEN: [
      'The account that requested the waiver is disabled, or may no longer request it.',
      'Restore its right, or request the waiver with another account.',
    ],
  },
  'Review requests': {
    REVIEW_UNKNOWN: [
      'There is no such review request, or the account may not see it.',
      'List the requests.',
    ],
    REVIEW_OWN_REQUEST: [
      'The account requested this review itself.',
      'Another account with `can_bypass_vuln_block` decides; *Withdraw* ends your own request.',
    ],
    REVIEW_NOT_YOURS: [
      'Another account requested this review.',
      'Reject it, with the right to review.',
    ],
    REVIEW_CLOSED: [
      'The request was decided or withdrawn, or it has expired; `state` says which.',
      'Request another one.',
    ],
    REVIEW_CHANGED: ['Another account changed the request at the same time.', 'Read it again.'],
    REVIEW_OPEN: [
      'An open request asks for this image at this destination already; the text has its number.',
      'Wait for its decision, or comment on it.',
    ],
    REVIEW_NOT_NEEDED: [
      'No finding that a waiver could cover blocks the image at this destination; the text says what does.',
      'Push the image, or mend what the text names.',
    ],
    REVIEW_TOO_LARGE: [
      'More than 500 vulnerabilities block the image.',
      'Use a newer image, or name some of them.',
    ],
    REVIEWS_MANY: [
      'The account has 100 requests that wait for a decision.',
      'Wait until they are decided, or withdraw some.',
    ],
    REVIEW_EXCEPT_INVALID: [
      'An approval leaves out what the request does not ask for, or all of it, or a rejection has exceptions.',
      'Name vulnerabilities of the request, or reject it.',
    ],
    VULNERABILITY_NOT_BLOCKING: [
      'A vulnerability that is asked for does not block the image at the destination, or a waiver covers it.',
      'Leave it out, or leave `vulnerabilities` out to ask for all that block.',
    ],
    REVIEW_COMMENTS_MANY: [
      'The request has 100 comments.',
      'Decide about it, or request another one.',
    ],
  },
  'Staging and the gate': {
    JOB_UNKNOWN: [
      'There is no such staging job, or it belongs to another account.',
      'List the jobs.',
    ],
    JOB_NOT_READY: ['The job is in a state that accepts no push.', 'Wait until it is `staged`.'],
    JOB_NOT_RETRYABLE: ['Nothing of the job can be run again.', 'Pull the image again.'],
    JOB_SETTLED: ['Nothing of the job runs or waits.', 'There is nothing to cancel.'],
    SELECTION_TOO_LARGE: [
      'More than 10,000 jobs match the filter of a bulk operation. Nothing was changed.',
      'Narrow the filter, for example by `since` and `until`.',
    ],
    JOBS_MANY: [
      'The account has as many open jobs as it may have.',
      'Wait, delete jobs, or raise `MAX_OPEN_JOBS_PER_ACCOUNT`.',
    ],
    IMAGE_HAS_HOST: [
      '`image` names a host, a tag or a digest.',
      'Send the host and the tag in their own fields.',
    ],
    NAME_INVALID: [
      'The destination is not a valid repository name.',
      'Lower-case segments as in the OCI distribution specification.',
    ],
    VULN_BLOCKED: [
      'The policy blocks the findings of this image.',
      'Use another image; *Scan again* after a database update; request a [waiver](waivers.md); or an account with `can_bypass_vuln_block` pushes it. The text names the policy and the findings.',
    ],
    SCAN_REQUIRED: [
      'There is no verdict: not scanned, the scan failed, or a part of the image could not be judged. `vuln_result.notes` say which.',
      '*Scan again* (`POST /api/staging/jobs/{job_id}/retry`); `VULN_ON_ERROR=allow` accepts such images. Causes are in [troubleshooting](troubleshooting.md#scanning-and-the-gate).',
    ],
    ARTIFACT_BLOCKED: [
      'The policy of the destination allows container images only, and this is another artifact.',
      'Use a folder whose policy allows artifacts.',
    ],
    DATABASE_TOO_OLD: [
      'The vulnerability database behind the verdict is older than `VULN_MAX_DATABASE_AGE_DAYS`, or the `max_database_age_days` of the policy.',
      'Update it (`POST /api/trivy/db/update`); the next push scans the image first.',
    ],
    OVERRIDE_FORBIDDEN: [
      'Relaxing the policy for one image is a privilege.',
      'An account with `can_bypass_vuln_block`, or `VULN_OVERRIDE=anyone`.',
    ],
    PACKAGES_TOO_MANY: [
      'The image has more packages than a list may hold.',
      'Download the full report of a staging job.',
    ],
    REPORT_UNKNOWN: ['The job or the image has no stored scan report.', 'Scan it first.'],
    REPORT_TOO_LARGE: [
      'The document of one platform is over 64 MiB.',
      'Ask for one `platform`, or for JSON.',
    ],
    COSTLY_REQUESTS_MANY: [
      'The account has many requests open that read images or decide about them.',
      WAIT,
    ],
    STREAMS_MANY: [
      'The account has too many event streams and waiting requests open.',
      'Close some pages; let scripts wait for a transfer rather than for each of its jobs.',
    ],
  },
  'Transfers and schedules': {
    TRANSFER_UNKNOWN: [
      'There is no such transfer, or it belongs to another account.',
      'List the transfers.',
    ],
    TRANSFER_SETTLED: ['Nothing of the transfer runs or waits.', 'There is nothing to cancel.'],
    TRANSFER_NOT_RETRYABLE: ['Nothing of the transfer has failed.', 'Start a new transfer.'],
    SCHEDULE_UNKNOWN: [
      'There is no such schedule, or it belongs to another account.',
      'List the schedules.',
    ],
    SCHEDULE_RUNNING: [
      'The last transfer of this schedule is still running.',
      'Wait, or cancel it.',
    ],
    SCHEDULES_MANY: ['The account has as many schedules as it may have.', 'Delete some.'],
    OWNER_DISABLED: [
      'The account that owns the schedule is disabled.',
      'Enable the account, or create the schedule under another one.',
    ],
  },
  'Scans on demand and the scanner': {
    SCAN_UNKNOWN: ['There is no scan with this id.', 'List the scans of the repository.'],
    IMAGE_INVALID: ['`image` is not an image.', 'Write `repository:tag` or `repository@digest`.'],
    HOST_INVALID: ['The host of `image` is not `host[:port]`.', CORRECT],
    TAG_INVALID: ['The tag is not valid.', CORRECT],
    DIGEST_INVALID: ['The digest is not valid.', 'Write `sha256:` and 64 hex digits.'],
    SCANNER_DISABLED: ['The installation runs without a scanner.', '`TRIVY_ENABLED=true`.'],
    SCANNER_UNAVAILABLE: [
      'No worker has a scanner that runs.',
      '`TRIVY_PATH`; the log of the worker.',
    ],
    DATABASE_UPDATE_RUNNING: [
      'The vulnerability database is being updated.',
      'Wait for it: `GET /api/trivy/db`.',
    ],
  },
  Operation: {
    GC_RUNNING: ['A garbage collection is running.', 'Poll `GET /api/system/gc`.'],
    GC_UNAVAILABLE: [
      'No worker has the storage of the registry.',
      'See [garbage collection](garbage.md).',
    ],
    EMAIL_DISABLED: [
      'E-mail is switched off.',
      'Enable it on the page *Network*, or `EMAIL_ENABLED=true`.',
    ],
    SYSLOG_DISABLED: [
      'Syslog is switched off.',
      'Enable it on the page *Network*, or `SYSLOG_ENABLED=true`.',
    ],
    RELEASES_UNAVAILABLE: ['`RELEASE_CHECK_URL` does not answer.', 'Check it and the proxy.'],
    DATABASE_UNAVAILABLE: [
      "PostgreSQL can't be reached; the log of the process says why.",
      'Bring it back, or correct `DATABASE_URL` ([causes](troubleshooting.md#the-database-can-not-be-reached)).',
    ],
    DATABASE_READ_ONLY: [
      'PostgreSQL takes no writes: it is a standby, or was made read-only, as when its disk is full.',
      'Promote it, or let `DATABASE_URL` lead to the primary. Connections that refused a write are closed, so nothing has to be restarted.',
    ],
    REDIS_UNAVAILABLE: ["Redis can't be reached.", 'Bring it back; nothing else is needed.'],
    QUEUE_UNAVAILABLE: [
      'Redis does not accept the job.',
      'Bring Redis back; what was saved is enqueued by the sweeper.',
    ],
    EVENTS_UNAVAILABLE: ['Redis does not answer in time.', 'Bring Redis back.'],
    REDIS_FULL: [
      'Redis has reached `maxmemory`.',
      'Give it more memory; `maxmemory-policy` has to be `noeviction`.',
    ],
    DISK_FULL: [
      "PostgreSQL or Redis can't save: the disk is full.",
      'Free space; they recover automatically.',
    ],
  },
};
