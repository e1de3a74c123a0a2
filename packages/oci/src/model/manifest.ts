/**
 * Parses manifests and indexes: OCI image spec (manifest.md, image-index.md) and Docker image
 * manifest v2 schema 2. Strict, because the bytes are untrusted: a document that two parsers may
 * read differently is rejected. Manifests are never re-serialized, so digests never change.
 */
import { readJson } from '../json/json-reader.ts';
import { misspelled } from '../json/member-names.ts';
import { JSON_LIMITS } from '../json/parse-json.ts';
import { inSlices, type Steps } from '../json/slices.ts';
import { invalid, isOciError, type OciError, tooLarge } from '../oci-error.ts';
import type { Descriptor } from './descriptor.ts';
import { annotationsIn, descriptorIn, descriptorsIn, recordOf, textIn } from './json.ts';
import {
  DOCKER_INDEX,
  essenceOf,
  isIndexType,
  isManifestType,
  isSchema1Type,
  OCI_INDEX,
  OCI_MANIFEST,
  OCTET_STREAM,
} from './media-type.ts';

export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/** Default of the number of children that one manifest or index may have. */
export const MAX_MANIFEST_CHILDREN = 5_000;
let maxChildren = MAX_MANIFEST_CHILDREN;

/**
 * Changes the limit for the whole process: each of its readers has to accept the same manifests.
 */
export function limitManifestChildren(limit: number): void {
  maxChildren = limit;
}

interface Common {
  mediaType: string;
  artifactType: string | undefined;
  subject: Descriptor | undefined;
  annotations: Record<string, string> | undefined;
}

export interface Manifest extends Common {
  kind: 'manifest';
  config: Descriptor;
  layers: Descriptor[];
}

export interface Index extends Common {
  kind: 'index';
  manifests: Descriptor[];
}

/**
 * A manifest without an artifact type has that of its configuration (image spec § manifest.md), in
 * a list of referrers as well (distribution spec § Listing Referrers). Undefined for an index
 * without one.
 */
export function artifactTypeOf(document: Manifest | Index): string | undefined {
  const config = document.kind === 'manifest' ? document.config.mediaType : undefined;
  return document.artifactType || config;
}

export interface ManifestLimits {
  maxManifestBytes?: number | undefined;
  maxWidth?: number | undefined;
}

const VAGUE = new Set(['', OCTET_STREAM, 'application/json', 'text/plain', 'binary/octet-stream']);

/**
 * True for a `Content-Type` that servers use when they do not know the type. Then the `mediaType`
 * in the document decides.
 */
function isGenericType(mediaType: string): boolean {
  return VAGUE.has(essenceOf(mediaType));
}

/**
 * @param mediaType The media type of the descriptor, or the `Content-Type`.
 * @throws invalid `MANIFEST_INVALID`, `MANIFEST_UNSUPPORTED`, `MANIFEST_SCHEMA1`; too_large
 * `MANIFEST_TOO_LARGE`
 */
export function parseManifest(
  bytes: Uint8Array,
  mediaType: string,
  limits: ManifestLimits = {},
): Promise<Manifest | Index> {
  return inSlices(read(bytes, mediaType, limits));
}

function* read(
  bytes: Uint8Array,
  mediaType: string,
  limits: ManifestLimits,
): Steps<Manifest | Index> {
  assertSize(bytes.byteLength, limits);
  const document = yield* readDocument(bytes, limits);
  const type = typeOf(document, essenceOf(mediaType));
  const parsed = isIndexType(type)
    ? yield* readIndex(document, type)
    : yield* readManifest(document, type);
  const width = parsed.kind === 'index' ? parsed.manifests.length : parsed.layers.length;
  const { maxWidth = maxChildren } = limits;
  if (width > maxWidth) {
    throw tooLarge(
      'MANIFEST_TOO_WIDE',
      `a manifest has ${width} children, ${maxWidth} are allowed`,
    );
  }
  return parsed;
}

/** @throws too_large `MANIFEST_TOO_LARGE` */
export function assertSize(size: number, limits: ManifestLimits = {}): void {
  const { maxManifestBytes = MAX_MANIFEST_BYTES } = limits;
  if (size > maxManifestBytes) {
    throw tooLarge(
      'MANIFEST_TOO_LARGE',
      `a manifest has ${size} bytes, ${maxManifestBytes} are allowed`,
    );
  }
}

/** JSON values allowed per child: a descriptor with a dozen annotations. */
const VALUES_PER_CHILD = 64;

function* readDocument(
  bytes: Uint8Array,
  { maxWidth = maxChildren }: ManifestLimits,
): Steps<Record<string, unknown>> {
  const maxValues = Math.max(JSON_LIMITS.maxValues, VALUES_PER_CHILD * maxWidth);
  try {
    return recordOf(yield* readJson(bytes, { ...JSON_LIMITS, maxValues }), 'the manifest');
  } catch (cause) {
    const why = isOciError(cause) ? cause.message : 'it is not a JSON object';
    throw invalid('MANIFEST_INVALID', `the manifest can't be read: ${why}`, { cause });
  }
}

/**
 * One document must not be a manifest to one reader and an index to another (CVE-2021-41190): the
 * stated type, the `mediaType` in the document and its fields have to agree.
 */
function typeOf(document: Record<string, unknown>, outside: string): string {
  if (isSchema1Type(outside) || document.schemaVersion === 1) throw schema1();
  const within = essenceOf(textIn(document, 'mediaType') ?? '');
  const stated = isGenericType(outside) ? within : outside;
  if (within !== '' && within !== stated) {
    throw malformed(`mediaType is ${within} in the manifest but ${stated} in its descriptor`);
  }
  const type = stated === '' ? guess(document) : stated;
  if (!isManifestType(type)) throw unsupportedManifest(type);
  assertUnambiguous(document, type);
  return type;
}

function guess(document: Record<string, unknown>): string {
  return 'manifests' in document ? OCI_INDEX : OCI_MANIFEST;
}

const FIELDS = new Set([
  'schemaVersion',
  'mediaType',
  'artifactType',
  'config',
  'layers',
  'manifests',
  'subject',
  'annotations',
]);
function assertUnambiguous(document: Record<string, unknown>, type: string): void {
  const strangers = isIndexType(type)
    ? ['config', 'layers', 'fsLayers']
    : ['manifests', 'fsLayers'];
  const stranger = strangers.find((field) => field in document);
  if (stranger) throw malformed(`${stranger} doesn't belong in ${type}`);
  const twin = misspelled(document, FIELDS);
  if (twin) throw malformed(`${twin} is written in other letters than the specification's`);
  if (document.schemaVersion !== 2) throw malformed('schemaVersion has to be 2');
}

function* readManifest(document: Record<string, unknown>, mediaType: string): Steps<Manifest> {
  return {
    kind: 'manifest',
    ...commonOf(document, mediaType),
    config: descriptorIn(document, 'config'),
    layers: yield* descriptorsIn(document, 'layers'),
  };
}

function* readIndex(document: Record<string, unknown>, mediaType: string): Steps<Index> {
  const manifests = yield* descriptorsIn(document, 'manifests');
  assertNotInlined(document);
  if (manifests.some((child) => isSchema1Type(child.mediaType))) throw schema1();
  return { kind: 'index', ...commonOf(document, mediaType), manifests };
}

function commonOf(document: Record<string, unknown>, mediaType: string): Common {
  const hasSubject =
    mediaType !== DOCKER_INDEX && document.subject !== undefined && document.subject !== null;
  return {
    mediaType,
    artifactType: textIn(document, 'artifactType'),
    subject: hasSubject ? descriptorIn(document, 'subject') : undefined,
    annotations: annotationsIn(document),
  };
}

function malformed(why: string): OciError {
  return invalid('MANIFEST_INVALID', why);
}

export function unsupportedManifest(mediaType: string): OciError {
  return invalid(
    'MANIFEST_UNSUPPORTED',
    'only OCI and docker v2 schema 2 manifests and indexes can be copied',
    {
      detail: { mediaType: mediaType.slice(0, 200) },
    },
  );
}

function schema1(): OciError {
  return invalid(
    'MANIFEST_SCHEMA1',
    'the image is in docker manifest v2 schema 1, which is no longer supported: pull and push it again with a current Docker',
  );
}

/**
 * The `data` and `urls` of a descriptor bring its content along or say where else it is (image spec
 * § descriptor.md): a client could take a manifest from the index that the registry would refuse.
 */
function assertNotInlined({ manifests }: Record<string, unknown>): void {
  if (!Array.isArray(manifests)) return;
  const at = manifests.findIndex((child) => 'data' in child || 'urls' in child);
  if (at < 0) return;
  throw invalid(
    'MANIFEST_INVALID',
    `manifests[${at}] has data or urls: an index must refer to its manifests by digest alone`,
  );
}
