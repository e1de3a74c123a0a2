/** Downloads the file of a threat feed where its source has another one than before. */
import { invalid, tooLarge, unavailable } from '@portcullis/errors';
import { type Descriptor, type Image, parseManifest, readWhole } from '@portcullis/oci';
import type { Repository, Transport } from '@portcullis/oci/remote';
import type { FeedAddress } from './feed-address.ts';

/** The packed file of EPSS has 2.5 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 300_000;

export interface FetchedFeed {
  bytes: Uint8Array;
  /** What the source names this content by; null where it names none. */
  validator: string | null;
}

export interface FetchFeedPorts {
  transport: Pick<Transport, 'send'>;
  open(image: Image): Pick<Repository, 'manifest' | 'fetch'>;
}

/**
 * Null where the source still has what `validator` names.
 * @throws unavailable `FEED_UNAVAILABLE`; invalid `FEED_INVALID`; too_large `FEED_TOO_LARGE`; the
 * faults of the transport and of registries
 */
export async function fetchFeed(
  address: FeedAddress,
  validator: string | null,
  { transport, open }: FetchFeedPorts,
  signal: AbortSignal,
): Promise<FetchedFeed | null> {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const either = AbortSignal.any([signal, limit]);
  try {
    return await (address.kind === 'file'
      ? fetchFile(address.url, validator, transport, either)
      : fetchArtifact(address.image, validator, open(address.image), either));
  } catch (cause) {
    if (!limit.aborted || signal.aborted) throw cause;
    throw unavailable('FEED_UNAVAILABLE', 'the download took longer than five minutes', { cause });
  }
}

async function fetchFile(
  url: URL,
  validator: string | null,
  transport: FetchFeedPorts['transport'],
  signal: AbortSignal,
): Promise<FetchedFeed | null> {
  const { status, headers, body } = await transport.send({
    method: 'GET',
    url,
    headers: validator === null ? {} : conditionOf(validator),
    trust: { verify: true },
    maxBytes: MAX_BYTES,
    signal,
  });
  if (status === 304 && validator !== null) return null;
  if (status !== 200) throw unavailable('FEED_UNAVAILABLE', `${url.host} answered ${status}`);
  return { bytes: body, validator: validatorOf(headers) };
}

/**
 * Null for what can't be sent back: a field value that we may send has no other characters, and a
 * server refuses a longer one. The next download would fail for ever.
 */
function validatorOf(headers: Readonly<Record<string, string>>): string | null {
  const named = [headers.etag, headers['last-modified']];
  return named.find((value) => value !== undefined && SENDABLE.test(value)) ?? null;
}

const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** An entity tag is quoted; anything else is the time of the last change. */
function conditionOf(validator: string): Record<string, string> {
  const isTag = /^(?:W\/)?"/.test(validator);
  return { [isTag ? 'if-none-match' : 'if-modified-since']: validator };
}

async function fetchArtifact(
  image: Image,
  validator: string | null,
  repository: ReturnType<FetchFeedPorts['open']>,
  signal: AbortSignal,
): Promise<FetchedFeed | null> {
  const { descriptor, bytes } = await repository.manifest(image.reference, { signal });
  if (descriptor.digest === validator) return null;
  const layer = await onlyLayer(bytes, descriptor);
  if (layer.size > MAX_BYTES)
    throw tooLarge('FEED_TOO_LARGE', `the layer of the artifact has ${layer.size} bytes`);
  const content = await repository.fetch(layer, { signal });
  return { bytes: await readWhole(content, layer), validator: descriptor.digest };
}

async function onlyLayer(bytes: Uint8Array, { mediaType }: Descriptor): Promise<Descriptor> {
  const manifest = await parseManifest(bytes, mediaType);
  const [layer, ...more] = manifest.kind === 'manifest' ? manifest.layers : [];
  if (layer && more.length === 0) return layer;
  throw invalid('FEED_INVALID', 'the artifact has to be one manifest with one layer, the file');
}
