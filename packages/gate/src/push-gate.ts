/**
 * The gate of staging jobs: the request of a push, its preview, and the worker that writes ask the
 * same door, which decides by the policy of the destination.
 */
import {
  ALLOWED,
  atGate,
  type BypassOrder,
  bypasses,
  codeOfRefusal,
  type Decision,
  type DestinationStanding,
  decidePush,
  defaultPolicy,
  denied,
  type GateCode,
  jobStanding,
  type MatchedFinding,
  type PassedWaiver,
  type Principal,
  type PushQuestion,
  type ScanPolicy,
  type SignatureFacts,
  type StagingJob,
  type Standing,
  type Waiver,
  waiversIn,
} from '@portcullis/domain';
import { forbidden, isAppError } from '@portcullis/errors';
import { alikeFolders } from './alike-folders.ts';
import {
  explainPush,
  type GatedJob,
  type GatedScan,
  gatedScan,
  type PushExplanation,
  type PushTarget,
  refusalSentence,
  scansAtRetry,
} from './push-explanation.ts';
import type { GateRules, PolicyScope } from './rules.ts';

export interface PushGatePorts {
  rules(): Promise<Pick<GateRules, 'policyOf' | 'waivers' | 'feeds' | 'authorities'>>;
  /** What is known of the signatures of these digests. */
  signatures(digests: readonly string[]): Promise<ReadonlyMap<string, SignatureFacts>>;
  /** The scan settings as they are now. */
  settings(): Promise<ScanPolicy>;
  /**
   * Build time of the vulnerability database that a scan would use now; null where no scan can run.
   */
  database(): Promise<string | null>;
  now(): Date;
}

interface PushRequest {
  target: PushTarget;
  account: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;
  bypass: BypassOrder;
  /** Of the images that will be judged: the signatures of no other are known. */
  digests: readonly (string | null)[];
}

/** Asks what the gate decides for accounts that may not push what is blocked. */
export const UNPRIVILEGED = {
  account: { isAdmin: false, canBypassVulnBlock: false },
  bypass: { allowed: false, reason: null },
} as const;

export interface JudgedPush {
  decision: Decision;
  /** Whether a retry of its job may be decided otherwise: it makes the scan that is missing. */
  scansAtRetry: boolean;
  /** The code that refuses the push to accounts without the privilege; null where nothing does. */
  bypassed: GateCode | null;
  /** Those that cover findings which would block. */
  waivers: PassedWaiver[];
  /** All findings that block; the explanation has the first ones. */
  blocking: readonly MatchedFinding[];
  explanation: PushExplanation;
}

/** Everything that a decision depends on besides the job, as it was at one moment. */
export interface OpenPushGate {
  settings: ScanPolicy;
  at: Date;
  /** Without I/O, so that it can run while the row of the job is locked. */
  judge(job: GatedJob): JudgedPush;
  judgeScan(scan: GatedScan): JudgedPush;
  /**
   * Until when its age alone keeps an image out, null where it does not; null for all images where
   * the policy asks for no age, or is bypassed.
   */
  waits: ((image: Pick<GatedScan, 'digest' | 'sightedAt'>) => Date | null) | null;
  /** By the policy there, whatever the privilege of the account. */
  standing(job: StandingJob): JobStanding | null;
}

export interface PushGate {
  open(request: PushRequest): Promise<OpenPushGate>;
  /** The door of each place as it is now, for many images: everything is read once. */
  openAll(request: Omit<PushRequest, 'target'>): Promise<(target: PushTarget) => OpenPushGate>;
  /** The same for the standings of many jobs, by the policies as they are now. */
  standings(digests: PushRequest['digests']): Promise<OpenStandings>;
}

type StandingJob = GatedJob & Pick<StagingJob, 'status' | 'pushes'>;

/** The standing of a job with the policy that decided. */
export interface JobStanding extends DestinationStanding {
  policy: { id: string | null; name: string };
}

export interface OpenStandings {
  at(target: PushTarget): OpenPushGate;
  /** Folders by what decides in them: those of a group have the same policy and waivers. */
  alike(folders: readonly string[], repositoryIn: (folder: string) => string): string[][];
  /** Another text means that a job may have another standing. */
  mark: string;
  /** The same for the image of one job. */
  markOf(digest: string | null): string;
}

const marks = new WeakMap<object, number>();
let lastMark = 0;

/** Rules that are loaded again are another object. */
function markOf(rules: object): number {
  const known = marks.get(rules);
  if (known !== undefined) return known;
  lastMark += 1;
  marks.set(rules, lastMark);
  return lastMark;
}

const NO_SIGNATURES: ReadonlyMap<string, SignatureFacts> = new Map();

export function createPushGate(ports: PushGatePorts): PushGate {
  const { rules, settings, database, now } = ports;

  async function signaturesOf(digests: PushRequest['digests']) {
    // Without an authority, no policy asks for a signature.
    if ((await rules()).authorities.size === 0) return NO_SIGNATURES;
    return ports.signatures(digests.filter((digest) => digest !== null));
  }

  async function openAll({ account, bypass, digests }: Omit<PushRequest, 'target'>) {
    const [known, inForce, newest, signatures] = await Promise.all([
      rules(),
      settings(),
      database(),
      signaturesOf(digests),
    ]);
    const at = now();
    const question = {
      settings: inForce,
      waivers: known.waivers,
      feeds: known.feeds,
      authorities: known.authorities,
      signatures,
      bypasses: bypasses(atGate(account, bypass)),
      database: newest,
      now: at,
    };
    return (target: PushTarget): OpenPushGate => {
      // The default policy is made from the settings as they are now.
      const policy = namedPolicy(known, target) ?? defaultPolicy(inForce);
      const judgeScan = (scan: GatedScan) => judge({ ...question, policy, scan, target });
      const age = (image: Pick<GatedScan, 'digest' | 'sightedAt'>) =>
        decide({ ...question, policy, scan: { ...UNSCANNED, ...image }, target }).waitsUntil;
      return {
        settings: inForce,
        at,
        waits: policy.minAgeHours === 0 || question.bypasses ? null : age,
        judge: (job) => judgeScan(gatedScan(job)),
        judgeScan,
        standing: (job) => standingAt({ ...question, policy, scan: gatedScan(job), target }, job),
      };
    };
  }

  async function standings(digests: PushRequest['digests']): Promise<OpenStandings> {
    const [known, inForce, newest, signatures, at] = await Promise.all([
      rules(),
      settings(),
      database(),
      signaturesOf(digests),
      openAll({ ...UNPRIVILEGED, digests }),
    ]);
    return {
      at,
      alike: (folders, repositoryIn) => alikeFolders(folders, { ...known, repositoryIn }),
      mark: JSON.stringify([inForce, newest, markOf(known)]),
      markOf: (digest) => signatures.get(digest ?? '')?.checkedAt.toISOString() ?? '',
    };
  }

  return {
    openAll,
    standings,
    async open({ target, ...request }) {
      return (await openAll(request))(target);
    },
  };
}

/** An image of which nothing but its digest is known. */
const UNSCANNED: Omit<GatedScan, 'digest' | 'sightedAt'> = {
  ...{ facts: null, lastScanFailed: false, scanner: null, verdict: 'pending' },
  overrides: { vulnScanEnabled: null, vulnSeverities: null },
};

interface Question extends Omit<PushQuestion, 'image' | 'signatures'> {
  /** By digest. */
  signatures: ReadonlyMap<string, SignatureFacts>;
  scan: GatedScan;
  target: PushTarget;
}

function decide({ target: { repository, folder }, signatures, ...question }: Question) {
  const digest = question.scan.digest ?? '';
  const image = { digest, repository, folder };
  return decidePush({ ...question, image, signatures: signatures.get(digest) ?? null });
}

function standingAt(question: Question, job: StandingJob): JobStanding | null {
  const decided = decide(question);
  const standing = jobStanding(job, decided, question);
  const { id, name } = decided.policy;
  return standing && { ...standing, policy: { id, name } };
}

function judge(question: Question): JudgedPush {
  const { scan, settings, waivers, target } = question;
  const decided = decide(question);
  const { refusal } = decided;
  const code = refusal && codeOfRefusal(refusal);
  return {
    decision:
      decided.allowed || code === null
        ? ALLOWED
        : denied(code, refusalSentence(decided, { scan, settings, target })),
    scansAtRetry: scansAtRetry(decided, { scan, settings }),
    bypassed: decided.allowed ? code : null,
    waivers: passedBy(decided.standing, waivers),
    blocking: decided.standing?.blocking ?? [],
    explanation: explainPush(decided, { scan, target }),
  };
}

const MOST_WAIVERS = 50;

function passedBy(standing: Standing | null, waivers: readonly Waiver[]): PassedWaiver[] {
  const ids = new Set(standing && waiversIn(standing));
  return waivers
    .filter(({ id }) => ids.has(id))
    .slice(0, MOST_WAIVERS)
    .map(({ id, vulnerability, approvals, expiresAt }) => ({
      id,
      vulnerability,
      approvedBy: approvals.flatMap(({ username }) => username ?? []),
      until: expiresAt.toISOString(),
    }));
}

function namedPolicy({ policyOf }: Pick<GateRules, 'policyOf'>, target: PushTarget) {
  const at = policyScope(target);
  const policy = at && policyOf(at);
  return policy?.id == null ? null : policy;
}

/** Null for a host that is no saved registry. */
function policyScope({ folder, registryId }: PushTarget): PolicyScope | null {
  if (folder !== null) return { folder };
  return registryId === null ? null : { registryId };
}

/** @throws forbidden with the decision as its detail */
export function assertPushed({
  decision,
  explanation,
  scansAtRetry: retry,
}: Pick<JudgedPush, 'decision' | 'explanation' | 'scansAtRetry'>): void {
  if (decision.allowed) return;
  throw forbidden(decision.code, decision.reason, { detail: { decision: explanation, retry } });
}

/** Whether the gate refused for want of a scan, which a retry of the job makes. */
export function isScannedAtRetry(error: unknown): boolean {
  return isAppError(error) && error.detail?.retry === true;
}

/** The decision of a door that refused; null for any other error. */
export function decisionIn(error: unknown): object | null {
  const decision = isAppError(error) ? error.detail?.decision : null;
  return typeof decision === 'object' ? decision : null;
}
