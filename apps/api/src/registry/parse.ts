/**
 * Parses `/v2` requests. A raw path is never forwarded: `pathOf` rebuilds it, so that the
 * authorized path is the one that the registry receives.
 */
import { invalid, notFound } from '@portcullis/errors';
import { type Digest, isDigest, isRepository, isTag, parseReference } from '@portcullis/oci';
import { parseQuery } from './query.ts';
import { findOperation, type RepositoryRoute, type V2Request, type V2Route } from './routes.ts';

/**
 * @param url the unmodified request target (`originalUrl`)
 * @throws invalid or not_found `NAME_INVALID`; not_found `MANIFEST_UNKNOWN`; invalid
 * `DIGEST_INVALID`, `TAG_INVALID`, `QUERY_INVALID` or `UNSUPPORTED`
 */
export function parse(method: string, url: string): V2Request {
  const mark = url.indexOf('?');
  const isRead = method === 'GET' || method === 'HEAD';
  const route = parsePath(mark < 0 ? url : url.slice(0, mark), isRead);
  if (!findOperation(method, route.kind))
    throw invalid('UNSUPPORTED', 'there is no such operation here');
  return { method, route, query: parseQuery(route.kind, mark < 0 ? '' : url.slice(mark + 1)) };
}

/** Excludes the percent sign: no grammar here needs it, and `%2f` must not become a slash later. */
const PLAIN = /^\/v2(?:\/[A-Za-z0-9._:=/-]*)?$/;
const MAX_PATH = 1024;

export function parsePath(path: string, isRead = false): V2Route {
  if (path.length > MAX_PATH) throw nameInvalid();
  if (!PLAIN.test(path)) throw noSuchPath();
  switch (path) {
    case '/v2':
    case '/v2/':
      return { kind: 'base' };
    case '/v2/_catalog':
      return { kind: 'catalog' };
    case '/v2/token':
      return { kind: 'token' };
    default:
      return parseRepositoryPath(path.slice('/v2/'.length).split('/'), isRead);
  }
}

/** Parses from the end, because the words of the routes are also legal in repository names. */
function parseRepositoryPath(segments: string[], isRead: boolean): RepositoryRoute {
  const [third, word, last] = [segments.at(-3), segments.at(-2), segments.at(-1) ?? ''];
  const repository = (tail: number) => repositoryOf(segments.slice(0, -tail));
  if (third === 'blobs' && word === 'uploads') {
    if (last === '') return { kind: 'upload-start', repository: repository(3) };
    return { kind: 'upload', repository: repository(3), uuid: parseUuid(last) };
  }
  if (word === 'blobs' && last === 'uploads')
    return { kind: 'upload-start', repository: repository(2) };
  if (word === 'tags' && last === 'list') return { kind: 'tags', repository: repository(2) };
  if (word === 'manifests') {
    return { kind: 'manifest', repository: repository(2), reference: referenceOf(last, isRead) };
  }
  if (word === 'blobs')
    return { kind: 'blob', repository: repository(2), digest: parseDigest(last) };
  if (word === 'referrers')
    return { kind: 'referrers', repository: repository(2), digest: parseDigest(last) };
  throw noSuchPath();
}

function repositoryOf(segments: string[]): string {
  const name = segments.join('/');
  if (!isRepository(name)) throw nameInvalid();
  return name;
}

/** An invalid tag is unknown on reads, as the conformance tests require, and refused on writes. */
function referenceOf(text: string, isRead: boolean): string {
  if (isRead && !text.includes(':') && !isTag(text))
    throw notFound('MANIFEST_UNKNOWN', 'there is no such tag');
  return parseReference(text);
}

function parseDigest(text: string): Digest {
  if (!isDigest(text)) throw invalid('DIGEST_INVALID', 'the digest is not one');
  return text;
}

/** Opaque to us; CNCF distribution uses UUIDs. */
const UUID = /^[A-Za-z0-9_=-]{1,128}$/;

function parseUuid(text: string): string {
  if (!UUID.test(text)) throw notFound('BLOB_UPLOAD_UNKNOWN', 'there is no such upload');
  return text;
}

function nameInvalid() {
  return invalid('NAME_INVALID', 'the repository name is not one');
}

function noSuchPath() {
  return notFound('NAME_INVALID', 'this is not a path of the registry');
}
