/**
 * Brings digests of an upstream into a mirror: a staging job with an automatic push, made once for
 * each reference and digest, however many clients of however many processes ask.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isBlocked,
  isSettled,
  type JobSource,
  LOCAL_REGISTRY_ID,
  type Principal,
  queuedPush,
  scanFailure,
} from '@portcullis/domain';
import {
  bringInState,
  isRefusedIndex,
  type Mirror,
  mayBringIn,
  nextTry,
  sourceOfHere,
  upstreamRepository,
} from '@portcullis/domain/mirror';
import { subjectOfTag } from '@portcullis/domain/retention';
import {
  conflict,
  forbidden,
  isAppError,
  notFound,
  rateLimited,
  unavailable,
} from '@portcullis/errors';
import { openNews, systemEvent } from '@portcullis/events';
import { type AgeFixes, type JudgedPush, type PushGate, UNPRIVILEGED } from '@portcullis/gate';
import { isDigest } from '@portcullis/oci';
import type { Queues } from '@portcullis/queue';
import { type Logger, singleFlight } from '@portcullis/runtime';
import type { KnownReference, MirrorReference, NewJob, Store } from '@portcullis/store';
import type { EventPorts } from '../../features/staging/events-stream.ts';
import type { AssertJobs } from '../../features/staging/quota.ts';

type JobState = NonNullable<KnownReference['job']>;
type Author = Pick<Principal, 'id' | 'username' | 'isAdmin' | 'grants'>;

export interface BringInPorts {
  mirrors: Pick<Store['mirrors'], 'find' | 'bringIn' | 'ripe' | 'answered'>;
  jobs: Pick<Store['jobs'], 'find'>;
  queues: Pick<Queues, 'dispatch'>;
  subscribe: EventPorts['subscribe'];
  pushGate: Pick<PushGate, 'open'>;
  ageFixes: AgeFixes;
  assertJobs: AssertJobs;
  /** The account as it is now; null where it is gone or disabled. */
  account(id: string): Promise<Author | null>;
  publicHost(): string;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

interface Wanted {
  mirror: Mirror;
  place: MirrorReference;
  digest: string;
}

interface HeldImage {
  mirror: Mirror;
  repository: string;
  digest: string;
}

interface Begun {
  place: MirrorReference;
  job: JobState | null;
}

export interface BringIns {
  /** Begins, unless a job does it already or its result counts. @throws conflict `JOBS_MANY` */
  begin(wanted: Wanted, known: KnownReference, by: Principal): Promise<void>;
  /** As `begin`, for the caller or the account of before; false where neither may. */
  beginLater(wanted: Wanted, known: KnownReference, by: Principal): Promise<boolean>;
  /**
   * Begins for an image that is here, unless a job is doing so: its publisher has attached more.
   * Null where the image is not here.
   */
  again(image: HeldImage, by: Author): Promise<Begun | null>;
  /** The job once it is settled, or when the time is over; null where it is gone. */
  settled(begun: Begun, until: { ms: number; signal: AbortSignal }): Promise<JobState | null>;
  /**
   * Why a digest is not here that was to be brought in.
   * @throws always
   */
  refuse(wanted: Wanted, job: JobState | null, detailsUrl: string): Promise<never>;
}

/** Events may be lost. */
const LOOK_MS = 500;
const RETRY_AFTER_SECONDS = 10;

export function createBringIns(ports: BringInPorts): BringIns {
  const { mirrors, jobs, queues, now } = ports;
  /** Many clients wait for one job. */
  const findJob = singleFlight(
    async (key) => {
      const [repository = '', reference = ''] = key.split(' ');
      return (await mirrors.find({ repository, reference })).job;
    },
    { reuseMs: LOOK_MS },
  );

  async function begin(wanted: Wanted, known: KnownReference, by: Author): Promise<void> {
    const { digest } = wanted;
    const judged = await judgedNow(wanted, known.job);
    const passes = judged?.decision.allowed ?? false;
    const begins = (present: KnownReference) => {
      if (isRipening(present)) return false;
      const question = { digest, isHere: isHereIn(present, digest), passes, now: now() };
      return bringInState(present.job, question) === 'begin';
    };
    if (begins(known)) return start(wanted, begins, by);
    if (judged?.explanation.code === 'TOO_YOUNG')
      await beginRipe(wanted, { known, minAgeHours: judged.explanation.policy.min_age_hours }, by);
  }

  /** While the newest digest of a tag is too young, the newest of those that are old enough. */
  async function beginRipe(
    wanted: Wanted,
    { known, minAgeHours }: { known: KnownReference; minAgeHours: number },
    by: Author,
  ): Promise<void> {
    const { place } = wanted;
    if (isDigest(place.reference)) return;
    const after = sourceOfHere(known.here, known.tag);
    const digest = await mirrors.ripe(place, { minAgeHours, after });
    if (digest !== null)
      await start({ ...wanted, digest }, ({ job }) => job?.id === known.job?.id, by);
  }

  async function start(
    wanted: Wanted,
    begins: (present: KnownReference) => boolean,
    by: Author,
  ): Promise<void> {
    const begun = await mirrors.bringIn(
      wanted.place,
      async (present, counted) => {
        if (!begins(present)) return null;
        await ports.assertJobs({ ...by, ...NO_CREDENTIAL }, 1, counted);
        return jobOf(wanted, by, isRefusedIndex(present.job));
      },
      (jobId) => beganEvent(wanted, jobId, by),
    );
    const job = begun?.isNew ? await jobs.find(begun.jobId) : null;
    if (job)
      await queues.dispatch(job).catch((err: unknown) => {
        ports.log.warn({ err, job: job.id }, 'the sweeper will enqueue the job from the database');
      });
  }

  async function beginLater(
    wanted: Wanted,
    known: KnownReference,
    by: Principal,
  ): Promise<boolean> {
    const earlier = known.tag?.requestedById ?? null;
    const { folder } = wanted.mirror;
    const author = mayBringIn(by, folder) ? by : earlier && (await ports.account(earlier));
    if (!author || !mayBringIn(author, folder)) return false;
    const { mirror, place } = wanted;
    const digest = subjectOfTag(place.reference);
    const image = digest && (await again({ mirror, repository: place.repository, digest }, author));
    if (!image) await begin(wanted, known, author);
    return true;
  }

  /** What a digest leads to at the upstream needs no question. */
  async function again(
    { mirror, repository, digest }: HeldImage,
    by: Author,
  ): Promise<Begun | null> {
    const place = { repository, reference: digest };
    if ((await mirrors.find(place)).here === null) return null;
    const dueSeconds = mirror.checkMinutes * 60;
    await mirrors.answered(place, { answer: { digest }, dueSeconds, isTag: false });
    const begins = ({ job }: KnownReference) => job === null || isSettled(job.status);
    await start({ mirror, place, digest }, begins, by);
    return { place, job: (await mirrors.find(place)).job };
  }

  /** A waiver, another policy or the time lets a blocked image pass. */
  async function judgedNow(wanted: Wanted, job: JobState | null): Promise<JudgedPush | null> {
    return job && isBlocked(job) ? judgeNow(wanted, job) : null;
  }

  async function judgeNow({ mirror, place }: Wanted, { id }: JobState) {
    const { repository, reference: tag } = place;
    const job = await jobs.find(id);
    if (!job) return null;
    if (job.digest !== null) {
      const image = { digest: job.digest, repository, folder: mirror.folder };
      await ports.ageFixes.note({ image, tag, byId: job.ownerId });
    }
    const { folder } = mirror;
    const target = { registryId: LOCAL_REGISTRY_ID, repository, folder, isMirror: true };
    const digests = [job.digest];
    const gate = await ports.pushGate.open({ target, ...UNPRIVILEGED, digests });
    const judged = gate.judge(job);
    return { ...judged, scanFailed: job.verdict === 'error' ? scanFailure(job.timeline) : null };
  }

  function jobOf(
    { mirror, place: { repository, reference }, digest }: Wanted,
    by: Author,
    isWhole: boolean,
  ): NewJob {
    const { platforms } = mirror;
    const place = {
      kind: 'local',
      registryId: LOCAL_REGISTRY_ID,
      host: ports.publicHost(),
    } as const;
    // What one account may let pass would be served to all.
    const { bypass } = UNPRIVILEGED;
    const push = { by, pushId: randomUUID(), now: now(), bypass };
    return {
      ownerId: by.id,
      image: upstreamRepository(mirror, repository),
      tag: reference,
      sourceDigest: digest,
      source: sourceOf(mirror),
      // Others are brought in when they are asked for by their digest.
      ...(platforms.length > 0 && !isWhole && { platforms: [...platforms], keepIndex: true }),
      auto: true,
      withReferrers: true,
      pushes: [queuedPush({ ...place, repository, tag: reference }, push)],
    };
  }

  async function settled(
    { place: { repository, reference }, job: begun }: Begun,
    { ms, signal }: { ms: number; signal: AbortSignal },
  ): Promise<JobState | null> {
    const ended = new AbortController();
    const over = AbortSignal.any([ended.signal, signal, AbortSignal.timeout(ms)]);
    const news = openNews(ports.subscribe, ({ jobId }) => jobId === begun?.id, over);
    try {
      for (let event: string | undefined; ; ) {
        // An answer of a moment ago may be about the job before, or of before the event.
        const job = await findJob(`${repository} ${reference} ${begun?.id} ${event}`);
        if (!job || isSettled(job.status) || over.aborted) return job;
        const look = sleep(LOOK_MS, event, { signal: over }).catch(() => event);
        event = await Promise.race([news.next(), look]);
      }
    } finally {
      ended.abort();
    }
  }

  async function refuse(wanted: Wanted, job: JobState | null, detailsUrl: string): Promise<never> {
    if (job && !isSettled(job.status) && job.error === null)
      throw rateLimited(
        'PULL_PENDING',
        `the image is being brought in and scanned; pull it again in a moment. Details: ${detailsUrl}`,
        { retryAfter: RETRY_AFTER_SECONDS },
      );
    if (job && isBlocked(job)) {
      const { decision, explanation, scanFailed } = (await judgeNow(wanted, job)) ?? NOT_JUDGED;
      const reason = decision?.allowed === false ? decision.reason : (job.error?.message ?? '');
      const code = decision?.allowed === false ? decision.code : (job.error?.code ?? '');
      const cause = scanFailed === null ? '' : ` The scan said: ${scanFailed}.`;
      const text = `${reason}${cause} ${nextTry(wanted.mirror.folder, job)} Details: ${detailsUrl}`;
      throw forbidden(code, text, {
        detail: { decision: explanation },
      });
    }
    throw failureOf(job);
  }

  return { begin, beginLater, again, settled, refuse };
}

/** Its job was deleted. */
const NOT_JUDGED = { decision: null, explanation: undefined, scanFailed: null };

/** Before its job is settled here, a reduced image is known by the job alone. */
function isHereIn({ here, tag, job }: KnownReference, digest: string): boolean {
  return here !== null && (here === job?.digest || sourceOfHere(here, tag) === digest);
}

/** What is old enough is pushed before the newest digest is looked at again. */
function isRipening({ job, tag }: KnownReference): boolean {
  return job !== null && !isSettled(job.status) && job.sourceDigest === tag?.ripeDigest;
}

/** What the quota of jobs does not look at. */
const NO_CREDENTIAL = { canBypassVulnBlock: false, auth: 'system' } as const;

function sourceOf({ registryId, host }: Mirror): JobSource {
  return registryId === null
    ? { kind: 'dockerhub', registryId, host }
    : { kind: 'registry', registryId, host };
}

function beganEvent({ mirror, place, digest }: Wanted, jobId: string, by: Author) {
  return systemEvent({
    event: 'mirror.bring_in',
    outcome: 'success',
    actor: { id: by.id, name: by.username },
    action: 'pull',
    resource: { kind: 'image', id: digest, name: place.repository, folder: mirror.folder },
    detail: { reference: place.reference, job_id: jobId, source: mirror.host },
  });
}

/** The words are those of the upstream, or of what refused the image here. */
function failureOf(job: JobState | null): Error {
  const {
    code = 'MIRROR_FAILED',
    message = 'its job was cancelled or deleted',
    side,
  } = job?.error ?? {};
  const text = `the image was not brought in: ${message}`;
  if (code === 'QUOTA_EXCEEDED' || code === 'TAG_IMMUTABLE') return conflict(code, text);
  if (side === 'source' && code.endsWith('_UNKNOWN')) return notFound('MANIFEST_UNKNOWN', text);
  return unavailable('MIRROR_FAILED', text, { detail: { cause: code } });
}

/** The account has as many jobs as it may have: the client is to come again. */
export function asBusy(error: unknown): unknown {
  if (!isAppError(error) || error.code !== 'JOBS_MANY') return error;
  return rateLimited(error.code, error.message, { retryAfter: RETRY_AFTER_SECONDS });
}
