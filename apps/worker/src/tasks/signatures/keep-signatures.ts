/**
 * Keeps the facts about signatures up to date, one digest after the other: of images that came over
 * `/v2`, after signatures came or went, after authorities and policies were saved, and what a job
 * could not read from its source. What is due follows from the rows, so that nothing is missed.
 */
import { SIGSTORE_ROOT_DATE } from '@portcullis/attest';
import type { StagingJob } from '@portcullis/domain';
import { parseDigest, type Source } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { ClaimedSignatures, PulledDigest, SignedDigest, Store } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { paced } from '../paced.ts';
import { failureOf } from '../run-failure.ts';
import { type AskedAuthority, readSignatures } from './read-signatures.ts';

export interface KeepSignaturesPorts {
  facts: Pick<
    Store['signatureFacts'],
    'dueHere' | 'dueElsewhere' | 'claim' | 'save' | 'fail' | 'release'
  >;
  jobs: Pick<Store['jobs'], 'find'>;
  asked(): Promise<AskedAuthority[]>;
  open(repository: string): Source;
  /** Opens the source of a job with the rights that its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Found by one query, which reads all manifests of the folders that ask. */
const FOUND = 200;
const PACE = { shortestMs: 2_000, longestMs: 60_000 };
/** For one digest; its claim lasts longer. */
const READING_MS = 90_000;

/** Called in a loop. True where it worked and the next call may follow at once. */
export function signatureKeeper(ports: KeepSignaturesPorts) {
  const { facts, asked, searchFactor, now, log } = ports;

  async function work(signal: AbortSignal): Promise<boolean> {
    const authorities = await asked();
    if (authorities.length === 0) return false;
    const here = await facts.dueHere(SIGSTORE_ROOT_DATE, FOUND);
    const due = here.length > 0 ? here : await facts.dueElsewhere(SIGSTORE_ROOT_DATE, FOUND);
    let read = 0;
    for (const each of due) {
      signal.throwIfAborted();
      const claimed = await facts.claim(each);
      if (!claimed) continue;
      await readClaimed(claimed, each, { authorities, signal });
      read += 1;
    }
    if (read > 0) log.info({ read }, 'read signatures of images');
    return read > 0;
  }

  async function readClaimed(
    claimed: ClaimedSignatures,
    due: SignedDigest | PulledDigest,
    { authorities, signal }: { authorities: AskedAuthority[]; signal: AbortSignal },
  ): Promise<void> {
    try {
      const { source, digests } = await openPlace(due);
      const found = await readSignatures({
        ...{ source, digests, asked: authorities, now: now() },
        signal: AbortSignal.any([signal, AbortSignal.timeout(READING_MS)]),
      });
      await facts.save(claimed, found);
    } catch (err) {
      if (signal.aborted) return await facts.release(claimed);
      const { digest, registry, repository } = claimed;
      log.warn({ err, digest, registry, repository }, 'signatures could not be read');
      await facts.fail(claimed, failureOf(err));
    }
  }

  async function openPlace(due: SignedDigest | PulledDigest) {
    const digest = parseDigest(due.digest);
    const job = 'jobId' in due ? await ports.jobs.find(due.jobId) : null;
    if (!job) return { source: ports.open(due.repository), digests: [digest] };
    const index = job.sourceDigest === null ? [] : [parseDigest(job.sourceDigest)];
    return { source: await ports.source(job), digests: [digest, ...index] };
  }

  return paced({ ...PACE, searchFactor, now }, work);
}
