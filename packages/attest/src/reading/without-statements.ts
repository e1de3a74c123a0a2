/**
 * A source as it is copied into the local registry: without what this installation states about
 * images. A statement holds in the folder for which it was signed; elsewhere it may be wrong, and
 * is not withdrawn there.
 */
import { PREDICATE_TYPES } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import {
  contentOf,
  type Descriptor,
  type Digest,
  digestOf,
  forEachAtMost,
  isDigest,
  type Manifest,
  parseManifest,
  type ResolveOptions,
  type Source,
} from '@portcullis/oci';
import { openPublicKeys, type PublicKey } from '../authority/public-keys.ts';
import { readBundle } from '../formats/bundle.ts';
import type { SigstoreContent } from '../formats/content.ts';
import { readCosignAttestation } from '../formats/cosign.ts';
import { signerOf } from '../verifying/verify-key.ts';
import { mayPass, readBounded } from './found-layers.ts';
import { DSSE_ENVELOPE, isBundleType, rankOf } from './media-types.ts';

/** PEM of each key that this installation signs with or ever signed with. */
type StatementKeys = () => Promise<readonly string[]>;

type ReadManifest = { descriptor: Descriptor; bytes: Uint8Array; manifest: Manifest };

const STATED: readonly (string | null)[] = Object.values(PREDICATE_TYPES);
const READ_AT_ONCE = 4;
const TAG = /^sha256-([0-9a-f]{64})\.att$/;

/**
 * A referrer with such a statement is not listed. Under cosign's tag of attestations what others
 * attested stays.
 */
export function withoutStatements(source: Source, publicKeys: StatementKeys): Source {
  let opened: Promise<readonly PublicKey[]> | undefined;
  const written = new Map<Digest, Uint8Array>();
  const keysOf = () => {
    opened ??= publicKeys().then((pems) => pems.flatMap(openPublicKeys));
    return opened;
  };

  async function isStatement(subject: Digest, layer: Descriptor): Promise<boolean> {
    const content = await readLayer(source, subject, layer);
    if (!content || !STATED.includes(content.predicateType)) return false;
    return signerOf(await keysOf(), content) !== undefined;
  }

  async function holdsStatement(subject: Digest, referrer: Descriptor): Promise<boolean> {
    if (rankOf(referrer.artifactType) === null) return false;
    const read = await readManifest(source, referrer);
    for (const layer of read?.manifest.layers ?? [])
      if (await isStatement(subject, layer)) return true;
    return false;
  }

  async function referrers(
    digest: Digest,
    options?: Parameters<NonNullable<Source['referrers']>>[1],
  ): Promise<Descriptor[]> {
    const listed = (await source.referrers?.(digest, options)) ?? [];
    const left = new Set<Digest>();
    await forEachAtMost(READ_AT_ONCE, listed, async (referrer) => {
      if (await holdsStatement(digest, referrer)) left.add(referrer.digest);
    });
    return listed.filter((referrer) => !left.has(referrer.digest));
  }

  /** @throws not_found where nothing but statements is under the tag */
  async function attestations(found: Descriptor, subject: Digest): Promise<Descriptor> {
    const read = await readManifest(source, found);
    if (!read) return found;
    const { layers } = read.manifest;
    const isOurs = new Map<Descriptor, boolean>();
    for (const layer of layers) isOurs.set(layer, await isStatement(subject, layer));
    const others = layers.filter((layer) => !isOurs.get(layer));
    if (others.length === layers.length) return found;
    if (others.length === 0)
      throw notFound('MANIFEST_UNKNOWN', 'the tag has statements of this installation alone');
    const document = JSON.parse(Buffer.from(read.bytes).toString());
    const bytes = Buffer.from(JSON.stringify({ ...document, layers: others }));
    const digest = await digestOf(bytes);
    written.set(digest, bytes);
    return { mediaType: found.mediaType, digest, size: bytes.length };
  }

  return {
    async resolve(reference: string, options?: ResolveOptions) {
      const found = await source.resolve(reference, options);
      const subject = `sha256:${TAG.exec(reference)?.[1] ?? ''}`;
      return isDigest(subject) ? attestations(found, subject) : found;
    },
    async fetch(descriptor, options) {
      const bytes = written.get(descriptor.digest);
      return bytes ? contentOf(bytes, options) : source.fetch(descriptor, options);
    },
    ...(source.mover && { mover: (descriptor) => source.mover?.(descriptor) }),
    ...(source.referrers && { referrers }),
  };
}

/** Null for what is no attestation of this digest; a copy has its own word for what is broken. */
async function readLayer(
  source: Source,
  subject: Digest,
  layer: Descriptor,
): Promise<SigstoreContent | null> {
  const { mediaType, annotations = {} } = layer;
  if (mediaType !== DSSE_ENVELOPE && !isBundleType(mediaType)) return null;
  return unlessBroken(async () => {
    const bytes = await readBounded(source, layer);
    return mediaType === DSSE_ENVELOPE
      ? readCosignAttestation(bytes, annotations, subject)
      : readBundle(bytes, subject);
  });
}

function readManifest(source: Source, descriptor: Descriptor): Promise<ReadManifest | null> {
  return unlessBroken(async () => {
    const bytes = await readBounded(source, descriptor);
    const manifest = await parseManifest(bytes, descriptor.mediaType);
    return manifest.kind === 'manifest' ? { descriptor, bytes, manifest } : null;
  });
}

/** What may pass is thrown: what could not be read may be a statement. */
async function unlessBroken<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (mayPass(error)) throw error;
    return null;
  }
}
