/**
 * Holds off garbage collection while a push writes, and pins blobs that a running push relies on
 * but no manifest references yet.
 */
import { createHash } from 'node:crypto';
import { type Digest, isDigest, successors } from '@portcullis/oci';
import { mayDo } from '../access/authorize.ts';
import type { ManifestBody } from '../manifests/manifest-body.ts';
import type { V2Request } from '../parse.ts';
import type { RepositoryCall, V2 } from '../v2.ts';

/**
 * Garbage collection does not read uploads in progress. Only their end, manifests, deletions and
 * existence checks of accounts that may push take the lock: a blob reported as present must remain.
 */
function waits({ route, asker }: RepositoryCall, { method, query }: V2Request): boolean {
  const mayPush = mayDo(asker, 'push', route.repository).allowed;
  switch (route.kind) {
    case 'manifest':
    case 'blob':
      return method === 'PUT' || method === 'DELETE' || (method === 'HEAD' && mayPush);
    case 'upload':
      return method === 'PUT';
    case 'upload-start':
      return query.has('mount') || query.has('digest');
    default:
      return false;
  }
}

interface Guarded {
  v2Request: V2Request;
  body: ManifestBody | undefined;
}

/** @throws unavailable `REGISTRY_COLLECTING` */
export function guarded(
  v2: V2,
  call: RepositoryCall,
  { v2Request, body }: Guarded,
  forward: () => Promise<void>,
): Promise<void> {
  const { gate } = v2.ports;
  if (!waits(call, v2Request)) return forward();
  return gate.write(async () => {
    if (body) await gate.touches(call.route.repository, [sha256Of(body), ...named(call)]);
    await forward();
  });
}

/** The digest under which the registry stores the manifest. */
export function sha256Of({ bytes }: Pick<ManifestBody, 'bytes'>): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The tag or digest in the request. */
function named({ route }: RepositoryCall): string[] {
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
    await v2.ports.gate.settled(
      repository,
      successors(body.manifest).map(({ digest }) => digest),
    );
  const relied = waits(call, v2Request) ? reliedOn(call, v2Request) : null;
  if (relied === null || !isDigest(relied)) return;
  await v2.ports.gate.needs(repository, [relied]);
}

function reliedOn({ route }: RepositoryCall, { method, query }: V2Request): string | null {
  switch (route.kind) {
    case 'blob':
      return method === 'HEAD' ? route.digest : null;
    case 'manifest':
      return method === 'HEAD' || method === 'PUT' ? route.reference : null;
    case 'upload':
      return method === 'PUT' ? (query.get('digest') ?? null) : null;
    case 'upload-start':
      return query.get('mount') ?? query.get('digest') ?? null;
    default:
      return null;
  }
}
