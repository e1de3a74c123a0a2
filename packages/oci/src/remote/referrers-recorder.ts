/**
 * Adds referrers to the lists under tags, for registries without the referrers API. An update reads
 * the list and writes it again, so there is one at a time, and what arrives meanwhile is added
 * together: for an image with a thousand referrers the list is long.
 */
import { createHash } from 'node:crypto';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { artifactTypeOf, parseManifest } from '../model/manifest.ts';
import { OCI_INDEX } from '../model/media-type.ts';
import { listedReferrers, referrersTag } from '../model/referrers-tag.ts';
import type { HttpResponse } from './http/message.ts';
import {
  type FetchedManifest,
  getManifest,
  type ManifestAccess,
  putManifest,
} from './manifests.ts';
import { isKind } from './registry-error.ts';

/**
 * Called after a push of a manifest. A registry with the API answers with `OCI-Subject` where the
 * manifest has a subject.
 */
export type RecordReferrer = (
  access: ManifestAccess,
  stored: HttpResponse,
  manifest: FetchedManifest,
) => Promise<void>;

interface Recording {
  access: ManifestAccess;
  subject: Digest;
  entry: Descriptor;
  resolve(): void;
  reject(error: unknown): void;
}

/** For one repository. */
export function createReferrersRecorder(): RecordReferrer {
  let waiting: Recording[] = [];
  let isRunning = false;

  /** Those with the same list and the same end. */
  function nextBatch(): Recording[] {
    const [first] = waiting;
    const isOfBatch = ({ subject, access }: Recording) =>
      subject === first?.subject && access.signal === first.access.signal;
    const batch = waiting.filter(isOfBatch);
    waiting = waiting.filter((each) => !batch.includes(each));
    return batch;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await recordBatch(batch);
    isRunning = false;
  }

  return async (access, stored, { bytes, descriptor }) => {
    const parsed = await parseManifest(bytes, descriptor.mediaType);
    const { subject, annotations } = parsed;
    if (!subject || stored.headers['oci-subject'] !== undefined) return;
    const { mediaType, digest, size } = descriptor;
    const entry = { mediaType, digest, size, artifactType: artifactTypeOf(parsed), annotations };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ access, subject: subject.digest, entry, resolve, reject });
    void run();
    return promise;
  };
}

/** What the registry refuses for some of them is tried for each. */
async function recordBatch(batch: Recording[]): Promise<void> {
  try {
    await record(batch);
    for (const { resolve } of batch) resolve();
  } catch (error) {
    const [only, ...others] = batch;
    if (others.length === 0) only?.reject(error);
    else for (const each of batch) await recordBatch([each]);
  }
}

async function record(batch: Recording[]): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const { access, subject } = first;
  const known = await readRecorded(access, subject);
  if (known === null) return;
  const digests = new Set(known.map(({ digest }) => digest));
  const added = batch.map(({ entry }) => entry).filter(({ digest }) => !digests.has(digest));
  if (added.length > 0)
    await putManifest(access, referrersTag(subject), indexOf([...known, ...added]));
}

/** Null where the tag leads to an image, which is never overwritten. */
async function readRecorded(access: ManifestAccess, digest: Digest): Promise<Descriptor[] | null> {
  try {
    const { descriptor, bytes } = await getManifest(access, referrersTag(digest));
    return descriptor.digest === digest ? null : listedReferrers(bytes, descriptor.mediaType);
  } catch (error) {
    if (isKind(error, 'not_found')) return [];
    throw error;
  }
}

function indexOf(manifests: readonly Descriptor[]): FetchedManifest {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { descriptor: { mediaType: OCI_INDEX, digest, size: bytes.length }, bytes };
}
