/**
 * The signatures of an image that a job pulls, read from its source before the job says that it is
 * pulled: what is decided about it next needs them.
 */
import { LOCAL_REGISTRY_ID, type StagingJob } from '@portcullis/domain';
import { isTransient } from '@portcullis/errors';
import type { Digest, Source } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import { type AskedAuthority, readSignatures } from '../../tasks/signatures/read-signatures.ts';

export interface StagedSignaturesPorts {
  facts: Pick<Store['signatureFacts'], 'record' | 'claim' | 'fail'>;
  asked(): Promise<AskedAuthority[]>;
  /** How often a stage is tried. */
  tries: number;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

export interface StagedSignatures {
  source: Source;
  /** What the source serves, and what the job has of it: another one for selected platforms. */
  from: Digest;
  to: Digest;
  signal: AbortSignal;
}

/** The stage is not held up by a source that answers slowly. */
const READING_MS = 90_000;

/**
 * An outage is no absence: the stage is tried again, and on its last try the facts are left to be
 * read later.
 *
 * @throws the signal's reason, an OciError that may pass
 */
export async function readStaged(
  job: StagingJob,
  { source, from, to, signal }: StagedSignatures,
  { facts, asked, tries, now, log }: StagedSignaturesPorts,
): Promise<void> {
  const authorities = await asked();
  if (authorities.length === 0) return;
  const isHere = job.source.registryId === LOCAL_REGISTRY_ID;
  const registry = isHere ? LOCAL_REGISTRY_ID : job.source.host;
  const read = { digest: to, registry, repository: job.image };
  const slow = AbortSignal.timeout(READING_MS);
  try {
    const found = await readSignatures({
      source,
      ...{ digests: [to, from], asked: authorities, now: now() },
      signal: AbortSignal.any([signal, slow]),
    });
    await facts.record(read, found);
  } catch (err) {
    const isTriedAgain = isTransient(err) && job.attempts < tries && !slow.aborted;
    if (signal.aborted || isTriedAgain) throw err;
    log.warn({ err, job: job.id }, 'the signatures of an image are read later');
    const claimed = await facts.claim(read);
    if (claimed)
      await facts.fail(claimed, { code: 'UNREAD', message: 'the pull did not read them' });
  }
}
