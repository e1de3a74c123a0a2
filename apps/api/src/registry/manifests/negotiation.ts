/**
 * Which media types of a manifest a client reads. The registry does not decide it: distribution 2
 * makes a document of Docker's schema 1 for clients that accept neither type of image, which no
 * report is about.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { notFound } from '@portcullis/errors';
import { essenceOf, isIndexType, MANIFEST_MEDIA_TYPES } from '@portcullis/oci';

/** The types of the header that are ours; all where it is absent or has a wildcard for them. */
function acceptedTypes(accept: string | undefined): readonly string[] {
  if (accept === undefined || accept.trim() === '') return MANIFEST_MEDIA_TYPES;
  const types = accept.split(',').map(essenceOf);
  return types.includes('*/*') || types.includes('application/*')
    ? MANIFEST_MEDIA_TYPES
    : MANIFEST_MEDIA_TYPES.filter((type) => types.includes(type));
}

/**
 * What the registry is asked for: images always, so that it converts none, and the indexes that the
 * client reads, because for the others it may choose the image of a platform.
 */
export function upstreamAccept(accept: string | undefined): string {
  const types = acceptedTypes(accept);
  return MANIFEST_MEDIA_TYPES.filter((type) => !isIndexType(type) || types.includes(type)).join(
    ', ',
  );
}

/** @throws not_found `MANIFEST_UNKNOWN` for a document that is not of ours or not for the client */
export function assertAcceptable(
  accept: string | undefined,
  { 'content-type': type = '' }: Pick<IncomingHttpHeaders, 'content-type'>,
): void {
  const essence = essenceOf(type);
  if (acceptedTypes(accept).includes(essence)) return;
  const what = MANIFEST_MEDIA_TYPES.includes(essence)
    ? `the manifest is ${essence}, which Accept does not name`
    : 'the registry has no manifest of the image or Docker specifications';
  throw notFound('MANIFEST_UNKNOWN', what);
}
