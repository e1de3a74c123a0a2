/**
 * The details of an image: platforms, layers with their build steps, configuration and referrers.
 */

import {
  countsByLayer,
  type JobError,
  LOCAL_REGISTRY_ID,
  type Principal,
  type SeverityCounts,
  type Verdict,
} from '@portcullis/domain';
import { type AbsentPlatformState, absentPlatformState } from '@portcullis/domain/mirror';
import type { Descriptor, Platform } from '@portcullis/oci';
import type { GateBypass, JobSummary, Referrer, Store } from '@portcullis/store';
import type { ExplainingAbsence } from '../folders/mirror/absence.ts';
import type { StoredScans } from './packages/stored-scans.ts';
import { type ImageContent, type ImageQuery, patienceOf, readImage } from './read-image.ts';
import {
  noImage,
  type OpenedRepository,
  type RegistryScope,
  type Repositories,
} from './repositories.ts';
import type { JudgedReport, Standings } from './standings.ts';

type ListedReferrer = Pick<Referrer, 'digest' | 'mediaType' | 'artifactType' | 'size'>;

export interface DetailPorts {
  images: Pick<Store['images'], 'judged' | 'bypasses'>;
  mirrors: Pick<Store['mirrors'], 'jobsOf'>;
  standings: Pick<Standings, 'standing'>;
  scans: Pick<StoredScans, 'report'>;
  repositories: Repositories;
  explainingAbsence: ExplainingAbsence;
}

export interface AbsentPlatform {
  platform: Platform;
  digest: string;
  state: AbsentPlatformState;
  error: Pick<JobError, 'code' | 'message'> | null;
}

export interface ImageFacts extends Omit<ImageContent, 'absent'> {
  absentPlatforms: AbsentPlatform[];
  referrers: ListedReferrer[];
  scan: JudgedScan | null;
  /** By the digest of the layer; null without a report. */
  layerFindings: Map<string, SeverityCounts> | null;
  bypass: GateBypass | null;
}

export interface JudgedScan {
  verdict: Verdict;
  counts: SeverityCounts | null;
  at: Date;
  /** Null where the caller may not read the job. */
  jobId: string | null;
}

export function createDetail(ports: DetailPorts) {
  const { images, repositories, standings, scans } = ports;
  return async function detail(scope: RegistryScope, query: ImageQuery): Promise<ImageFacts> {
    const { principal } = scope;
    const opened = await repositories.open(scope, query.repository, 'pull');
    const signal = patienceOf(scope);
    const read = () =>
      opened.ask(noImage(query.repository, query.tag), (repository) =>
        readImage(repository, query, signal),
      );
    const { repository, tag: reference } = query;
    const asked = { repository, reference, reader: principal, account: principal };
    const content = await (opened.local ? ports.explainingAbsence(asked, read) : read());
    const { absent, ...found } = content;
    const { digest } = found.root;
    const [referrers, job, known, bypasses, report, absentPlatforms] = await Promise.all([
      referrersOf(opened, found.root, signal),
      // A registry may claim any digest: outside the local one, only jobs of the caller count.
      images.judged(digest, opened.local || principal.isAdmin ? null : principal.id),
      standings.standing({
        registryId: opened.local ? LOCAL_REGISTRY_ID : scope.registryId,
        repository: query.repository,
        digest,
      }),
      opened.local ? images.bypasses([{ repository: opened.name, digest }]) : null,
      scans.report({ opened, content, principal }),
      absentIn(ports.mirrors, opened, absent),
    ]);
    const scan = job && scanOf(job, principal);
    const standing = opened.local || job ? known : null;
    return {
      ...found,
      absentPlatforms,
      referrers,
      bypass: bypasses?.at(0) ?? null,
      scan: standing ? asOf(standing, scan) : scan,
      layerFindings: report && countsByLayer(report.report.vulnerabilities),
    };
  };
}

/** A refusal is about the policy of the folder, which all who may pull from it meet. */
async function absentIn(
  mirrors: DetailPorts['mirrors'],
  { local, name }: OpenedRepository,
  absent: ImageContent['absent'],
): Promise<AbsentPlatform[]> {
  const digests = absent.map(({ digest }) => digest);
  const jobs = local ? await mirrors.jobsOf(name, digests) : new Map<string, never>();
  return absent.map((each) => {
    const job = jobs.get(each.digest) ?? null;
    const state = absentPlatformState(job);
    const isEnded = state === 'refused' || state === 'failed';
    const { code, message } = job?.error ?? {};
    const error = isEnded && code !== undefined && message !== undefined ? { code, message } : null;
    return { ...each, state, error };
  });
}

/** Accounts that may read the image may read its findings; the job is visible to its owner only. */
function scanOf(
  { id, ownerId, verdict, vulnResult, ...job }: JobSummary,
  reader: Principal,
): JudgedScan {
  const scanned = job.timeline.findLast(({ status }) => status === 'scanning');
  const counts = vulnResult?.enabled ? vulnResult.counts : null;
  const readable = reader.isAdmin || reader.id === ownerId;
  return { verdict, counts, at: scanned?.at ?? job.createdAt, jobId: readable ? id : null };
}

/** The newest report under the present policy, by a job or a scan on demand. */
function asOf({ verdict, counts, scannedAt }: JudgedReport, scan: JudgedScan | null): JudgedScan {
  return { verdict, counts, at: scannedAt, jobId: scan?.jobId ?? null };
}

async function referrersOf(
  { name, ask }: OpenedRepository,
  { digest }: Descriptor,
  signal: AbortSignal,
): Promise<ListedReferrer[]> {
  const listed = await ask(noImage(name, digest), (repository) =>
    repository.referrers(digest, { signal }),
  );
  return listed.map(({ artifactType = null, ...rest }) => ({
    digest: rest.digest,
    mediaType: rest.mediaType,
    artifactType,
    size: rest.size,
  }));
}
