/**
 * A request that names the host that its client meant, as containerd does with `?ns=`: its
 * repository is that of the mirror of the host. Pushes name their own place.
 */
import type { Request } from 'express';
import { isRepositoryRoute } from '../access/authorize.ts';
import type { V2Request } from '../routes.ts';
import type { V2 } from '../v2.ts';

export async function inNamedMirror(
  { ports }: Pick<V2, 'ports'>,
  { originalUrl }: Pick<Request, 'originalUrl'>,
  v2Request: V2Request,
): Promise<V2Request> {
  const { method, route } = v2Request;
  const mark = originalUrl.indexOf('?');
  if (mark < 0 || (method !== 'GET' && method !== 'HEAD') || !isRepositoryRoute(route))
    return v2Request;
  const host = new URLSearchParams(originalUrl.slice(mark)).get('ns');
  const repository = host === null ? null : await ports.mirrors.named(host, route.repository);
  return repository === null ? v2Request : { ...v2Request, route: { ...route, repository } };
}
