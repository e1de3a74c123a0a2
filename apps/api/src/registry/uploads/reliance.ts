/**
 * What a push relies on until its manifest names it, and the moments in which it must not meet a
 * collection.
 */
import { isDigest, successors } from '@portcullis/oci';
import { mayDo } from '../access/authorize.ts';
import type { ManifestBody } from '../manifests/manifest-body.ts';
import type { V2Request } from '../parse.ts';
import type { RepositoryCall } from '../repository.ts';
import type { V2 } from '../route.ts';

/**
 * The bytes of an upload lie where no collection looks; only its end, manifests and deletions wait,
 * and what somebody who may push asks for the presence of: what he hears is there must stay.
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

/** @throws unavailable `REGISTRY_COLLECTING` */
export function guarded(
  v2: V2,
  call: RepositoryCall,
  asked: V2Request,
  forward: () => Promise<void>,
): Promise<void> {
  return waits(call, asked) ? v2.ports.gate.write(forward) : forward();
}

export interface Answered {
  asked: V2Request;
  status: number;
  body: ManifestBody | undefined;
}

/** Before the client hears that something is there: it won't send it. */
export async function noteReliance(
  v2: V2,
  call: RepositoryCall,
  { asked, status, body }: Answered,
): Promise<void> {
  if (status !== 200 && status !== 201) return;
  const { repository } = call.route;
  if (body)
    await v2.ports.gate.settled(
      repository,
      successors(body.manifest).map(({ digest }) => digest),
    );
  const relied = waits(call, asked) ? reliedOn(call, asked) : null;
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
