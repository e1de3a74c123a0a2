/**
 * Holds off garbage collection while a push writes, and pins blobs that a running push relies on
 * but no manifest references yet.
 */
import { createHash } from 'node:crypto';
import { type Digest, isDigest, successors } from '@portcullis/oci';
import { mayDo } from '../access/authorize.ts';
import type { ManifestBody } from '../manifests/manifest-body.ts';
import { operationOf, reliedOn, type V2Request } from '../routes.ts';
import type { RepositoryCall, V2 } from '../v2.ts';

/**
 * Garbage collection does not read uploads in progress. Only their end, manifests, deletions and
 * existence checks of accounts that may push take the lock: a blob reported as present must remain.
 */
function waits({ route, access }: RepositoryCall, { method, query }: V2Request): boolean {
  const { isChange, isEnd } = operationOf(method, route);
  if (isChange || isEnd) return true;
  if (reliedOn(method, route, query) === null) return false;
  return method !== 'HEAD' || mayDo(access, 'push', route.repository).allowed;
}

interface Guarded {
  v2Request: V2Request;
  body: ManifestBody | undefined;
}

/** @throws unavailable `REGISTRY_COLLECTING` */
export function pinning(
  v2: V2,
  call: RepositoryCall,
  { v2Request, body }: Guarded,
  forward: () => Promise<void>,
): Promise<void> {
  const { registryLock } = v2.ports;
  if (!waits(call, v2Request)) return forward();
  return registryLock.write(async () => {
    if (body)
      await registryLock.touches(call.route.repository, [sha256Of(body), ...digestsOf(call)]);
    await forward();
  });
}

/** The digest under which the registry stores the manifest. */
export function sha256Of({ bytes }: Pick<ManifestBody, 'bytes'>): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The tag or digest in the request. */
function digestsOf({ route }: RepositoryCall): string[] {
  return route.kind === 'manifest' ? [route.reference] : [];
}

export interface Answered {
  v2Request: V2Request;
  status: number;
  body: ManifestBody | undefined;
}

/** Runs before the reply: the client skips the upload of a blob that is reported as present. */
export async function noteReliance(
  v2: V2,
  call: RepositoryCall,
  { v2Request, status, body }: Answered,
): Promise<void> {
  if (status !== 200 && status !== 201) return;
  const { repository } = call.route;
  if (body)
    await v2.ports.registryLock.settled(
      repository,
      successors(body.manifest).map(({ digest }) => digest),
    );
  const { method, query } = v2Request;
  const relied = waits(call, v2Request) ? reliedOn(method, call.route, query) : null;
  if (relied === null || !isDigest(relied)) return;
  await v2.ports.registryLock.needs(repository, [relied]);
}
