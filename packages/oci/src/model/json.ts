/** Reads the parts of a manifest out of parsed JSON; every fault names its field. */
import { misspelled } from '../json/member-names.ts';
import type { Steps } from '../json/slices.ts';
import { invalid, type OciError } from '../oci-error.ts';
import type { Descriptor, Platform } from './descriptor.ts';
import { isDigest } from './digest.ts';

type Json = Record<string, unknown>;

/** Each may have thousands of members. */
export const DESCRIPTORS_PER_STEP = 8;

const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/i;

export function recordOf(value: unknown, field: string): Json {
  if (!isRecord(value)) throw malformed(`${field} has to be an object`);
  return value;
}

/** `null` counts as absent, as it does for readers written in Go. */
export function textIn(json: Json, field: string): string | undefined {
  const value = json[field] ?? undefined;
  if (value !== undefined && typeof value !== 'string')
    throw malformed(`${field} has to be a string`);
  return value;
}

export function descriptorIn(json: Json, field: string): Descriptor {
  return parseDescriptor(json[field], field);
}

export function* descriptorsIn(json: Json, field: string): Steps<Descriptor[]> {
  const value = json[field];
  if (!Array.isArray(value)) throw malformed(`${field} has to be an array`);
  const descriptors: Descriptor[] = [];
  for (const [at, item] of value.entries()) {
    descriptors.push(parseDescriptor(item, `${field}[${at}]`));
    if (at % DESCRIPTORS_PER_STEP === DESCRIPTORS_PER_STEP - 1) yield;
  }
  return descriptors;
}

export function annotationsIn(json: Json): Record<string, string> | undefined {
  const value = json.annotations ?? undefined;
  if (value !== undefined && !isTextRecord(value))
    throw malformed('annotations have to be strings');
  return value;
}

const DESCRIPTOR = new Set([
  'mediaType',
  'digest',
  'size',
  'urls',
  'annotations',
  'artifactType',
  'platform',
  'data',
]);

/** @throws invalid `MANIFEST_INVALID` */
export function parseDescriptor(value: unknown, field: string): Descriptor {
  const json = recordOf(value, field);
  assertSpelling(json, DESCRIPTOR, field);
  const { mediaType, digest, size } = json;
  if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType))
    throw malformed(`${field}.mediaType is not a media type`);
  if (typeof digest !== 'string' || !isDigest(digest))
    throw malformed(`${field}.digest is not a sha256 or sha512 digest`);
  if (!isSize(size)) throw malformed(`${field}.size is not a number of bytes`);
  return { mediaType, digest, size, ...optionalParts(json) };
}

function optionalParts(json: Json): Partial<Descriptor> {
  const parts: Partial<Descriptor> = {};
  const annotations = annotationsIn(json);
  const artifactType = textIn(json, 'artifactType');
  const urls = textsIn(json, 'urls');
  const platform = platformIn(json);
  if (annotations) parts.annotations = annotations;
  if (artifactType) parts.artifactType = artifactType;
  if (urls) parts.urls = urls;
  if (platform) parts.platform = platform;
  return parts;
}

const PLATFORM = new Set([
  'os',
  'architecture',
  'variant',
  'os.version',
  'os.features',
  'features',
]);

function platformIn(json: Json): Platform | undefined {
  if (json.platform === undefined || json.platform === null) return undefined;
  const platform = recordOf(json.platform, 'platform');
  assertSpelling(platform, PLATFORM, 'platform');
  const variant = textIn(platform, 'variant');
  const version = textIn(platform, 'os.version');
  const features = textsIn(platform, 'os.features');
  return {
    os: textIn(platform, 'os') ?? '',
    architecture: textIn(platform, 'architecture') ?? '',
    ...(variant ? { variant } : {}),
    ...(version ? { 'os.version': version } : {}),
    ...(features ? { 'os.features': features } : {}),
  };
}

function assertSpelling(json: Json, names: ReadonlySet<string>, field: string): void {
  const twin = misspelled(json, names);
  if (twin)
    throw malformed(`${field}.${twin} is written in other letters than the specification's`);
}

function textsIn(json: Json, field: string): string[] | undefined {
  const value = json[field] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw malformed(`${field} has to be an array of strings`);
  }
  return value;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

function malformed(why: string): OciError {
  return invalid('MANIFEST_INVALID', why);
}
