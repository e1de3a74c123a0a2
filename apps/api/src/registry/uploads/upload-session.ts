/**
 * Binds an upload session to its repository and account. The registry knows no accounts, so our
 * upload URLs carry an HMAC that each step verifies. It needs no state and works on any replica.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { notFound } from '@portcullis/errors';
import { type Query, without } from '../query.ts';
import type { V2Route } from '../routes.ts';

export type UploadRoute = Extract<V2Route, { kind: 'upload' }>;

const SEAL = '_owner';

export function withSeal(
  key: KeyObject,
  accountId: string,
  route: UploadRoute,
  query: Query,
): Query {
  return new Map([...query, [SEAL, sealOf(key, accountId, route)]]);
}

/** @throws not_found `BLOB_UPLOAD_UNKNOWN` @returns the query for the registry */
export function assertSeal(
  key: KeyObject,
  accountId: string,
  route: UploadRoute,
  query: Query,
): Query {
  const given = Buffer.from(query.get(SEAL) ?? '');
  const right = Buffer.from(sealOf(key, accountId, route));
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw notFound('BLOB_UPLOAD_UNKNOWN', 'there is no such upload of yours in this repository');
  }
  return without(query, SEAL);
}

function sealOf(key: KeyObject, accountId: string, { repository, uuid }: UploadRoute): string {
  const said = ['portcullis upload', accountId, repository, uuid].join('\n');
  return createHmac('sha256', key).update(said).digest('base64url');
}
