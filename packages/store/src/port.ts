/** What the store offers, on one page. Verbs: `find` (or null), `get` (or not_found), `list`, `insert`, `update`, `remove`. */
import type {
  JobCounts,
  JobSource,
  JobStatus,
  Progress,
  ScanOverrides,
  ScanReport,
  SelectionState,
  Severity,
  SeverityCounts,
  Stage,
  StagingJob,
  TransferEntry,
  TransferOrder,
  Verdict,
  VulnResult,
} from '@portcullis/domain';

export interface Store {
  users: Users;
  identities: Identities;
  sessions: Sessions;
  tokens: PersonalTokens;
  jobs: Jobs;
  transfers: Transfers;
  schedules: Schedules;
  registries: Registries;
  images: Images;
  folders: Folders;
  groups: Groups;
  audit: AuditArchive;
  settings: Settings;
  secrets: Secrets;
  referrers: Referrers;
  maintenance: Maintenance;
  reports: ImageReports;
  scans: ImageScans;
  figures: Figures;
  /** @throws unavailable `DATABASE_UNAVAILABLE` */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Page<T> {
  items: T[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  total: number;
}

export interface PageOptions {
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

// ---- accounts

export interface User {
  id: string;
  username: string;
  email: string | null;
  /** Null for an account that only an identity provider can log in. */
  passwordHash: string | null;
  isAdmin: boolean;
  canBypassVulnBlock: boolean;
  disabled: boolean;
  authSource: 'local' | 'oidc';
  mustChangePassword: boolean;
  createdAt: Date;
  lastLoginAt: Date | null;
}

export type NewUser = Pick<User, 'username' | 'passwordHash'> &
  Partial<Omit<User, 'id' | 'createdAt' | 'lastLoginAt' | 'username' | 'passwordHash'>>;
export type UserChange = Partial<Omit<User, 'id' | 'createdAt' | 'username' | 'authSource'>>;

export interface UserFilter {
  /** Part of the username or the e-mail address. */
  q?: string | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface Users {
  find(id: string): Promise<User | null>;
  get(id: string): Promise<User>;
  /** Upper and lower case are one name. */
  findByUsername(username: string): Promise<User | null>;
  /** By name. */
  list(filter?: UserFilter): Promise<Page<User>>;
  /** @throws conflict `USERNAME_TAKEN` */
  insert(user: NewUser): Promise<User>;
  /** @throws conflict `LAST_ADMIN` when no active admin would be left */
  update(id: string, change: UserChange): Promise<User>;
  remove(id: string): Promise<void>;
  loggedIn(id: string, at: Date): Promise<void>;
  /**
   * The first start's admin; null where any account exists already, without calling `make`. Safe when several
   * processes start at once.
   */
  ensureFirstAdmin(
    username: string,
    make: () => Promise<{ passwordHash: string; mustChangePassword: boolean }>,
  ): Promise<User | null>;
}

/** Who an identity provider says somebody is. */
export interface Identity {
  /** A URL, normalised. */
  issuer: string;
  subject: string;
}

export interface Identities {
  /** The account that is bound to it. */
  findUser(identity: Identity): Promise<User | null>;
  /** An account and its binding, both or neither. @throws conflict `USERNAME_TAKEN`, `IDENTITY_TAKEN` */
  insertUser(identity: Identity, user: NewUser): Promise<User>;
  loggedIn(identity: Identity, at: Date): Promise<void>;
  /** Active admins that can log in by this issuer. */
  countAdmins(issuer: string): Promise<number>;
}

export interface Session {
  id: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

export interface Sessions {
  insert(session: { id?: string; userId: string; expiresAt: Date }): Promise<Session>;
  /** A live one only: not expired, not revoked, of an account that isn't disabled. */
  find(id: string): Promise<Session | null>;
  revoke(id: string): Promise<void>;
  /** All of an account's, but for `except` (the one that changes its own password). */
  revokeAll(userId: string, except?: string): Promise<number>;
  removeExpired(): Promise<number>;
}

/** `api` for the REST API, `docker` for `/v2`. */
export const TOKEN_SCOPES = ['api', 'docker'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A personal access token, without what would let anybody use it. */
export interface PersonalToken {
  id: string;
  userId: string;
  name: string;
  scope: TokenScope;
  hint: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export interface PersonalTokens {
  /** Also one that expired: ask `expiresAt`. */
  find(id: string): Promise<PersonalToken | null>;
  /** One indexed look-up; also one that expired. */
  findByHash(hash: string): Promise<PersonalToken | null>;
  /** An account's own, newest first. */
  list(userId: string): Promise<PersonalToken[]>;
  insert(
    token: Pick<PersonalToken, 'userId' | 'name' | 'scope' | 'hint' | 'expiresAt'> & { hash: string },
  ): Promise<PersonalToken>;
  /** True when it was there. */
  remove(id: string): Promise<boolean>;
  /** All of an account's own; says how many there were. */
  removeAll(userId: string): Promise<number>;
  /** Written at most once a minute. */
  used(id: string, at: Date): Promise<void>;
  removeExpired(before: Date): Promise<number>;
}

// ---- groups, folders, grants

export interface Group {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  members: { id: string; username: string }[];
}

export interface Groups {
  find(id: string): Promise<Group | null>;
  get(id: string): Promise<Group>;
  /** By name. */
  list(page?: PageOptions): Promise<Page<Group>>;
  /** Those that are there. */
  listByNames(names: readonly string[]): Promise<{ id: string; name: string }[]>;
  /** The groups of an account, by name. */
  of(userId: string): Promise<{ id: string; name: string }[]>;
  /** @throws conflict `GROUP_NAME_TAKEN`; upper and lower case are one name */
  insertGroup(group: { name: string; description?: string }): Promise<Group>;
  update(id: string, change: { name?: string; description?: string }): Promise<Group>;
  remove(id: string): Promise<void>;
  /** By hand: no identity provider takes it back. */
  addMember(groupId: string, userId: string): Promise<void>;
  /**
   * The memberships that an identity provider manages become these; those made by hand stay. Groups that are gone by
   * now are passed over.
   */
  replaceProvided(userId: string, groupIds: readonly string[]): Promise<void>;
  /** False where the account wasn't in it. */
  removeMember(groupId: string, userId: string): Promise<boolean>;
}

export interface GrantFlags {
  canPull: boolean;
  canPush: boolean;
  canPullExternal: boolean;
  canPushExternal: boolean;
}

export interface Grant extends GrantFlags {
  groupId: string;
  groupName: string;
}

export interface Folder {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  grants: Grant[];
}

/** What an account may do in a folder: the union of its groups' grants. */
export interface UserFolderGrant extends GrantFlags {
  folder: string;
}

export interface GroupFolderGrant extends UserFolderGrant {
  group: { id: string; name: string };
}

export interface Folders {
  /** `__root__`, made at start-up. */
  ensureRoot(): Promise<Folder>;
  find(idOrName: string): Promise<Folder | null>;
  get(idOrName: string): Promise<Folder>;
  /** By name. */
  list(page?: PageOptions): Promise<Page<Folder>>;
  /** All names, sorted; `__root__` included. */
  names(): Promise<string[]>;
  grantsFor(userId: string): Promise<UserFolderGrant[]>;
  /** The same, unmerged: each with the group it comes by; by folder, then group. */
  grantsByGroup(userId: string): Promise<GroupFolderGrant[]>;
  /** @throws conflict `FOLDER_NAME_TAKEN` */
  insertFolder(folder: { name: string; description?: string }): Promise<Folder>;
  update(id: string, change: { description: string }): Promise<Folder>;
  remove(id: string): Promise<void>;
  /** Sets the one entry of (folder, group); an absent flag is false. */
  grant(folderId: string, groupId: string, flags: Partial<GrantFlags>): Promise<Grant>;
  /** False where there was no entry. */
  revoke(folderId: string, groupId: string): Promise<boolean>;
}

// ---- saved registries

export interface SavedRegistry {
  id: string;
  name: string;
  /** `host[:port]`, lower case. */
  host: string;
  username: string | null;
  hasPassword: boolean;
  /** Null: global, for all accounts. */
  ownerId: string | null;
  ownerName: string | null;
  useTls: boolean;
  tlsVerify: boolean;
  caCert: string | null;
  system: boolean;
  createdAt: Date;
  lastCheck: { at: Date; ok: boolean; message: string } | null;
}

export interface NewRegistry {
  name: string;
  host: string;
  username?: string | null;
  password?: string | null;
  ownerId?: string | null;
  useTls?: boolean;
  tlsVerify?: boolean;
  caCert?: string | null;
  system?: boolean;
}

export interface Credentials {
  username: string;
  password: string;
}

export interface Registries {
  find(id: string): Promise<SavedRegistry | null>;
  get(id: string): Promise<SavedRegistry>;
  /** With `visibleTo`: the global ones and that account's own. */
  list(filter?: { visibleTo?: string }): Promise<SavedRegistry[]>;
  insert(registry: NewRegistry): Promise<SavedRegistry>;
  /** An absent password stays, null removes it. */
  update(id: string, change: Partial<Omit<NewRegistry, 'ownerId' | 'system'>>): Promise<SavedRegistry>;
  remove(id: string): Promise<void>;
  /** Opened credentials; null where none are saved. */
  credentials(id: string): Promise<Credentials | null>;
  /** Null forgets what was found: it is another place now. */
  checked(id: string, check: SavedRegistry['lastCheck']): Promise<void>;
}

// ---- the index of the built-in registry

/** A manifest as the index keeps it. */
export interface ManifestFacts {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  subject: string | null;
  size: number;
  /** What it is made of, each digest once. */
  contents: { digest: string; size: number; isManifest: boolean }[];
  /** `os/architecture[/variant]`; of an index, those of its images. */
  platforms: string[];
}

export interface StoredImage {
  repository: string;
  /** Null for a manifest that goes by its digest alone. */
  tag: string | null;
  digest: string;
  /** Children before parents. Those the index has already may be left out. */
  manifests: ManifestFacts[];
  at: Date;
}

export interface IndexedRepository {
  name: string;
  /** The folder that governs it. */
  folder: string;
  tagCount: number;
  /** Each blob counted once. */
  size: number;
  updatedAt: Date;
}

export interface IndexedTag {
  tag: string;
  digest: string;
  mediaType: string;
  /** With all that lies beneath, each blob counted once. */
  size: number;
  platforms: string[];
  updatedAt: Date;
  /** Of the newest staging job of that digest which has one. */
  verdict: StagingJob['verdict'] | null;
}

export interface IndexedReferrer {
  digest: string;
  mediaType: string;
  artifactType: string | null;
  size: number;
}

export interface RepositoryFilter {
  /** Folders whose repositories are listed. */
  folders: 'all' | readonly string[];
  /** Part of the name, upper or lower case. */
  search?: string | undefined;
  /** From 1. */
  page: number;
  pageSize: number;
}

export interface Images {
  /** Repositories with a tag, by name. */
  list(filter: RepositoryFilter): Promise<{ items: IndexedRepository[]; total: number }>;
  /** Names alone, those without a tag as well: so many after one of them. */
  names(page: {
    folders: RepositoryFilter['folders'];
    after?: string | undefined;
    limit: number;
  }): Promise<string[]>;
  find(repository: string): Promise<IndexedRepository | null>;
  /** Newest first. */
  tags(repository: string, page: { limit?: number; cursor?: string | undefined }): Promise<Page<IndexedTag>>;
  /** All of them; of one digest, where it is given. */
  tagNames(repository: string, digest?: string): Promise<{ tag: string; digest: string }[]>;
  /** All manifests of a repository, those without a tag as well. */
  digests(repository: string): Promise<string[]>;
  /** Those of them the index has. */
  known(repository: string, digests: readonly string[]): Promise<Set<string>>;
  /** Manifests of the repository that refer to this one. */
  referrers(repository: string, subject: string): Promise<IndexedReferrer[]>;
  /** Of the newest staging job of each digest that has one. */
  verdicts(digests: readonly string[]): Promise<Map<string, StagingJob['verdict']>>;
  /** Repositories with a tag under a folder. */
  countUnder(folder: string): Promise<number>;

  /** A push, or what was found by looking. */
  record(image: StoredImage): Promise<void>;
  removeTag(repository: string, tag: string): Promise<void>;
  /** With all its tags. */
  removeManifest(repository: string, digest: string): Promise<void>;
  removeRepository(repository: string): Promise<void>;

  /** The registry lists these at this moment. */
  seen(repositories: readonly string[], at: Date): Promise<void>;
  /** Repositories that nobody listed or changed since. */
  unseenSince(at: Date, limit: number): Promise<string[]>;
}

// ---- staging jobs

export interface NewJob {
  /** Given by the caller where it also names a directory; made otherwise. */
  id?: string;
  ownerId: string;
  image: string;
  tag: string;
  source: JobSource;
  platforms?: 'all' | string[];
  overrides?: ScanOverrides;
  auto?: boolean;
  transferId?: string | null;
  withReferrers?: boolean;
  pushes?: StagingJob['pushes'];
  sourceCredentials?: Credentials | null;
}

/** A job as lists show it: without the findings, which may be megabytes. A whole `StagingJob` is one, too. */
export type JobSummary = Omit<StagingJob, 'vulnResult'> & {
  vulnResult: Omit<VulnResult, 'vulnerabilities'> | null;
};

export interface JobFilter {
  ownerId?: string | undefined;
  ownerName?: string | undefined;
  status?: JobStatus | readonly JobStatus[] | undefined;
  /** Part of the image, the tag or the digest. */
  q?: string | undefined;
  transferId?: string | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

/** Enough to dispatch a job's next stage. */
export type JobRef = Pick<StagingJob, 'id' | 'status' | 'ownerId' | 'fence'>;

export interface Jobs {
  insert(job: NewJob): Promise<StagingJob>;
  find(id: string): Promise<StagingJob | null>;
  get(id: string): Promise<StagingJob>;
  /** Newest first. */
  list(filter: JobFilter): Promise<Page<JobSummary>>;
  /** Those of them that there are. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  countByStatus(filter?: { ownerId?: string }): Promise<Partial<Record<JobStatus, number>>>;

  /**
   * A worker takes a stage: the row becomes running, the fence rises by one, the lease starts. Null where the job is
   * gone, is not at this stage, or runs under a live lease.
   */
  begin(id: string, stage: Stage, workerId: string): Promise<StagingJob | null>;
  /** Writes the whole job if `fence` is still the row's; false = fenced out, nothing written. Ends the lease when the job isn't running any more. */
  save(job: StagingJob, fence: number): Promise<boolean>;
  /** Also extends the lease. `push` carries the running push's own counters. False = fenced out. */
  saveProgress(
    id: string,
    fence: number,
    progress: Progress,
    push?: { bytesDone: number; bytesTotal: number; bytesMounted: number },
  ): Promise<boolean>;
  /** False = fenced out or gone: stop. `cancelRequested` tells a worker that missed the message. */
  renewLease(id: string, fence: number): Promise<{ held: boolean; cancelRequested: boolean }>;

  /**
   * Row-locked read-modify-write; `change` returns null to leave the row alone. A changed status raises the fence: a
   * worker that still holds the row is out. @throws not_found
   */
  update(id: string, change: (job: StagingJob) => StagingJob | null): Promise<StagingJob>;
  /** A queued job is cancelled at once, a running one gets `cancelRequested`. @throws not_found */
  requestCancel(id: string): Promise<StagingJob>;
  /** True when a row was there. Sealed credentials go with it. */
  remove(id: string): Promise<boolean>;

  /** What a crash left behind: running rows whose lease ended, queued rows untouched for `olderThanMs`. Each is given to one caller only, once in that time. */
  stale(options: { olderThanMs: number; limit?: number }): Promise<JobRef[]>;

  setSourceCredentials(id: string, credentials: Credentials | null): Promise<void>;
  sourceCredentials(id: string): Promise<Credentials | null>;
  setPushCredentials(id: string, pushId: string, credentials: Credentials | null): Promise<void>;
  pushCredentials(id: string, pushId: string): Promise<Credentials | null>;

  /**
   * `Idempotency-Key`: runs `create` once for (user, key) and remembers the ids; the same key and body gives them
   * again, even when both requests arrive together. Kept 24 hours.
   * @throws conflict `IDEMPOTENCY_KEY_REUSED` another body
   */
  idempotency(
    key: { key: string; userId: string; bodyHash: string },
    create: () => Promise<string[]>,
  ): Promise<{ ids: string[]; replayed: boolean }>;
}

// ---- transfers and their schedules

export interface NewTransfer {
  ownerId: string;
  scheduleId?: string | null;
  order: TransferOrder;
  /** What is known already; entries with a pattern become selections. */
  jobs: NewJob[];
}

export interface Transfer {
  id: string;
  ownerId: string;
  ownerName: string;
  scheduleId: string | null;
  /** Without its entries, of which there may be a thousand. */
  order: Omit<TransferOrder, 'entries'>;
  counts: JobCounts;
  /** Of its jobs: `total` as far as it is known, the others of the pushes. */
  bytes: { total: number; done: number; reused: number; mounted: number };
  selections: Selection[];
  createdAt: Date;
}

/** An entry with a pattern, and how far a worker has come with it. */
export interface Selection {
  position: number;
  entry: TransferEntry;
  state: SelectionState;
  tagsSeen: number;
  jobsMade: number;
  error: { code: string; message: string } | null;
}

export interface SelectionStep {
  transferId: string;
  position: number;
  /** Where this step began: a step that another worker took already changes nothing. */
  cursor: string | null;
  /** Where the next one begins; null: there is none. */
  next: string | null;
  tagsSeen: number;
  jobs: NewJob[];
}

export interface Transfers {
  /** The transfer and all its jobs, or nothing. */
  insert(transfer: NewTransfer): Promise<{ id: string; jobs: JobRef[] }>;
  find(id: string): Promise<Transfer | null>;
  /** Newest first. */
  list(filter: {
    ownerId?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<Transfer>>;
  /** Whole, for a worker. */
  order(id: string): Promise<{ ownerId: string; order: TransferOrder } | null>;
  jobIds(id: string): Promise<string[]>;
  /**
   * `Jobs.update` for all jobs of a transfer that are at one of `statuses`; gives those that changed. The rule sees a
   * job without its scan result, and must leave that alone.
   */
  updateJobs(
    id: string,
    statuses: readonly JobStatus[],
    change: (job: StagingJob) => StagingJob | null,
  ): Promise<JobRef[]>;
  /** Jobs that wait are over at once; gives those that run, whose workers must let go. Selections end, too. */
  cancel(id: string): Promise<JobRef[]>;
  /** With all its jobs; gives these as they were. */
  remove(id: string): Promise<JobRef[]>;

  /** Where each queued selection goes on. */
  queued(
    id: string,
  ): Promise<{ position: number; cursor: string | null; attempts: number; jobsMade: number }[]>;
  /** Jobs and progress in one write; null where another worker was faster, or the selection ended. */
  step(step: SelectionStep): Promise<JobRef[] | null>;
  /** `retry`: it stays queued, and the sweeper finds it again. */
  selectionFailed(
    at: { transferId: string; position: number },
    error: { code: string; message: string },
    retry: boolean,
  ): Promise<void>;
  /** The failed ones are queued again; their number. */
  requeueSelections(id: string): Promise<number>;
  /** Transfers with queued selections that nobody touched for so long; each is given to one caller, once in that time. */
  stale(options: { olderThanMs: number }): Promise<string[]>;
}

export interface Schedule {
  id: string;
  ownerId: string;
  ownerName: string;
  name: string;
  /** Five fields, or six with seconds first. */
  cron: string;
  /** IANA. */
  timezone: string;
  enabled: boolean;
  /** The body as it was sent. */
  request: Record<string, unknown>;
  order: TransferOrder;
  createdAt: Date;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastTransferId: string | null;
  /** Why the last run did not start. */
  lastError: { code: string; message: string; at: string } | null;
}

export type NewSchedule = Pick<
  Schedule,
  'ownerId' | 'name' | 'cron' | 'timezone' | 'enabled' | 'request' | 'order' | 'nextRunAt'
>;

export type ScheduleStart =
  | { kind: 'started'; transferId: string; jobs: JobRef[] }
  /** Somebody else started it, or it was changed meanwhile. */
  | { kind: 'not_due' }
  /** Its last transfer isn't over. */
  | { kind: 'still_running' };

export interface Schedules {
  find(id: string): Promise<Schedule | null>;
  /** Newest first. */
  list(filter: {
    ownerId?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<Schedule>>;
  insert(schedule: NewSchedule): Promise<Schedule>;
  /** @throws not_found */
  update(id: string, change: Partial<Omit<NewSchedule, 'ownerId'>>): Promise<Schedule>;
  remove(id: string): Promise<boolean>;
  enabled(): Promise<Pick<Schedule, 'id' | 'cron' | 'timezone'>[]>;
  /** Ids of those whose time has come. */
  due(now: Date): Promise<string[]>;
  /** One run at most comes of it, however many ask: the row is locked while its transfer is made. */
  start(
    id: string,
    run: { now: Date; manual: boolean; nextRunAt: Date | null; transfer: NewTransfer },
  ): Promise<ScheduleStart>;
  /** Why it did not start; `nextRunAt` undefined leaves the time as it is, so that the run is made up for. */
  refused(
    id: string,
    error: { code: string; message: string },
    when: { now: Date; nextRunAt?: Date | null },
  ): Promise<void>;
}

// ---- audit archive, settings

/** An audit event (decisions.md § Audit and notification), kept as it is. */
export interface AuditRecord {
  id: string;
  at: string;
  event: string;
  outcome: 'success' | 'denied' | 'failure';
  actor: {
    id: string | null;
    name: string;
    auth: 'session' | 'token' | 'basic' | 'oidc' | 'system' | 'none';
    token_id?: string | undefined;
  };
  action: string;
  resource: { kind: string; id: string | null; name: string | null; folder?: string | undefined } | null;
  client_ip: string | null;
  user_agent: string | null;
  method: string | null;
  path: string | null;
  status: number | null;
  duration_ms: number | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

export interface AuditFilter {
  /** The actor's name. */
  actor?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Words that all must be in the event; see `searchOf` in packages/domain. */
  q?: string | undefined;
}

/** A place in the order of the archive: newest first, and by id where times are equal. */
export interface AuditPosition {
  at: Date;
  id: string;
}

export interface AuditPageOptions {
  /** Only what comes after it, that is: what is older. */
  after?: AuditPosition | null | undefined;
  /** Default 50, at most 1000. */
  limit?: number | undefined;
}

export interface AuditPage {
  items: AuditRecord[];
  /** How far the archive was looked through, which may be beyond the last item; null: to its end. */
  reached: AuditPosition | null;
}

export interface AuditArchive {
  /** Delivered twice is stored once. */
  insert(events: readonly AuditRecord[]): Promise<void>;
  /** Newest first. A page may be short, or empty, though more follows: a search looks at so much at once, no more. */
  list(filter: AuditFilter, page?: AuditPageOptions): Promise<AuditPage>;
  removeOlderThan(days: number): Promise<number>;
}

export interface Settings {
  find(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  all(): Promise<Record<string, unknown>>;
}

// ---- referrers of the local registry

export interface Referrer {
  repository: string;
  /** Of the manifest that refers. */
  digest: string;
  subject: string;
  mediaType: string;
  artifactType: string | null;
  size: number;
  annotations: Record<string, string> | null;
}

export interface ReferrerFilter {
  repository: string;
  subject: string;
  artifactType?: string | undefined;
  /** Digests after this one. */
  after?: string | undefined;
  limit: number;
}

export interface Referrers {
  /** The same manifest again is the same entry. */
  record(referrer: Referrer): Promise<void>;
  /** By digest. */
  list(filter: ReferrerFilter): Promise<Referrer[]>;
  /** A manifest is gone from a repository; one that refers to nothing is none. */
  remove(repository: string, digest: string): Promise<void>;
  removeRepository(repository: string): Promise<void>;
}

// ---- upkeep on demand

export const MAINTENANCE_KINDS = ['gc', 'scanner-db'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** What somebody asked for, and how it went. */
export interface MaintenanceRun {
  id: string;
  kind: MaintenanceKind;
  state: 'queued' | 'running' | 'done' | 'failed';
  options: Record<string, boolean>;
  /** Figures of what was done. */
  result: Record<string, number>;
  error: { code: string; message: string } | null;
  logTail: string[];
  requestedBy: string;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface Maintenance {
  /** The newest; one whose worker fell silent has failed. */
  latest(kind: MaintenanceKind): Promise<MaintenanceRun | null>;
  /** Null where one of the kind waits or runs already. */
  request(run: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>): Promise<MaintenanceRun | null>;
  /** A worker takes what waits. */
  claim(kinds: readonly MaintenanceKind[], workerId: string): Promise<MaintenanceRun | null>;
  /** False: it isn't this worker's any more. */
  renew(id: string, workerId: string): Promise<boolean>;
  /** False: it isn't this worker's any more, and nothing was written. */
  finish(
    id: string,
    workerId: string,
    end: Pick<MaintenanceRun, 'result' | 'logTail' | 'error'>,
  ): Promise<boolean>;
  /** Runs whose worker fell silent since the last call: each is given once. */
  abandoned(): Promise<MaintenanceRun[]>;
}

// ---- what the scanner found, by digest

export interface StoredReport {
  digest: string;
  report: ScanReport;
  scannedAt: Date;
}

export interface FindingPlace {
  repository: string;
  folder: string;
  digest: string;
  /** The first twenty by name. */
  tags: string[];
  vulnerability: string;
  severity: Severity;
  package: string;
  installedVersion: string;
  fixedVersion: string | null;
  scannedAt: Date;
}

export interface FindingFilter {
  /** Folders whose repositories are searched. */
  folders: 'all' | readonly string[];
  vulnerability?: string | undefined;
  package?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ImageReports {
  /** In place of an older one of the digest. */
  record(report: StoredReport): Promise<void>;
  find(digest: string): Promise<StoredReport | null>;
  counts(digests: readonly string[]): Promise<Map<string, SeverityCounts>>;
  /** Tagged images of the built-in registry, by repository. */
  search(filter: FindingFilter): Promise<{ items: FindingPlace[]; nextCursor: string | null }>;
  /** Of digests that neither a tag, a job nor a scan names. */
  removeUnused(before: Date): Promise<number>;
}

export interface ImageScan {
  id: string;
  registryId: string;
  repository: string;
  reference: string;
  digest: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  attempts: number;
  error: { code: string; message: string } | null;
  requestedById: string;
  requestedBy: string;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface ImageScans {
  /** `done`: its digest's report is there already. */
  insert(
    scan: Pick<ImageScan, 'registryId' | 'repository' | 'reference' | 'digest' | 'requestedById'> & {
      state: 'queued' | 'done';
    },
  ): Promise<ImageScan>;
  find(id: string): Promise<ImageScan | null>;
  /** One of the same image by the same account that is not over yet. */
  findOpen(
    scan: Pick<ImageScan, 'registryId' | 'repository' | 'digest' | 'requestedById'>,
  ): Promise<ImageScan | null>;
  /** Newest first. */
  list(filter: {
    registryId: string;
    repository: string;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<ImageScan>>;
  /** The oldest that waits, or whose worker fell silent. `attempts` fences every later write. */
  claim(): Promise<ImageScan | null>;
  renew(id: string, attempts: number): Promise<boolean>;
  finish(id: string, attempts: number, error: ImageScan['error']): Promise<boolean>;
  /** Back to those that wait: this worker stops. */
  release(id: string, attempts: number): Promise<void>;
}

// ---- figures

export interface FigureScope {
  /** Folders whose repositories count. */
  folders: 'all' | readonly string[];
  /** Whose jobs count; null: everybody's. */
  ownerId: string | null;
  since: Date;
}

export interface ImageFigures {
  repositories: number;
  tags: number;
  /** Each blob counted once. */
  bytes: number;
  folders: { folder: string; repositories: number; tags: number; bytes: number }[];
  largest: IndexedRepository[];
}

export interface FindingFigures {
  scanned: number;
  unscanned: number;
  counts: SeverityCounts;
  fixable: number;
  /** By the day of the scan, each image by the day's last; days without a scan are left out. */
  days: { day: string; images: number; counts: SeverityCounts }[];
  worst: {
    repository: string;
    tag: string;
    digest: string;
    counts: SeverityCounts;
    verdict: Verdict | null;
    scannedAt: Date;
  }[];
}

export interface JobFigures {
  byStatus: Partial<Record<JobStatus, number>>;
  /** Days without a job are left out. */
  days: { day: string; total: number; pushed: number; failed: number; blocked: number }[];
  /** Of those that are staged now. */
  blocked: number;
}

export interface Figures {
  images(scope: FigureScope): Promise<ImageFigures>;
  findings(scope: FigureScope): Promise<FindingFigures>;
  jobs(scope: FigureScope): Promise<JobFigures>;
  accounts(): Promise<{ users: number; admins: number; disabled: number }>;
}

// ---- secrets at rest

export interface Resealed {
  done: number;
  /** No key that is at hand opens them. */
  unreadable: number;
}

export interface Reseals {
  /** Of the key that all shall be sealed with; what already is stays. */
  keyId: string;
  /** @throws AppError where it can't be opened */
  reseal(sealed: string): string;
  onProgress?: ((told: Resealed) => void) | undefined;
}

export interface Secrets {
  /** How many texts are sealed with which key. */
  keyIds(): Promise<Record<string, number>>;
  /** May break off anywhere, and be begun again. */
  reseal(options: Reseals): Promise<Resealed>;
}
