/**
 * Rewrites `Location` and `Link` of the registry to our addresses; refuses those of other
 * repositories.
 */
import { isAppError } from '@portcullis/errors';
import { isRepositoryRoute } from '../access/authorize.ts';
import { parsePath } from '../parse.ts';
import { formatQuery, parseQuery, type Query } from '../query.ts';
import { pathOf, type RepositoryRoute } from '../routes.ts';
import type { UploadRoute } from '../uploads/upload-session.ts';

export interface LocationContext {
  registryUrl: URL;
  route: RepositoryRoute;
  /** Adds the parameters that bind an upload to its account. */
  seal(route: UploadRoute, query: Query): Query;
}

/**
 * A path without a host is correct for any name or port that the client used. Null: must not be
 * shown.
 */
export function publicLocation(
  location: string,
  status: number,
  context: LocationContext,
): string | null {
  const url = URL.parse(location, context.registryUrl.origin);
  if (!url) return null;
  // store-reader.ts follows redirects. A registry with another name for itself uses it in 2xx
  // replies.
  if (url.origin !== context.registryUrl.origin && status >= 300) return null;
  return publicPath(url, context);
}

function publicPath({ pathname, search }: URL, { route, seal }: LocationContext): string | null {
  try {
    const target = parsePath(pathname);
    if (!isRepositoryRoute(target) || target.repository !== route.repository) return null;
    const query = parseQuery(target.kind, search);
    return pathOf(target) + formatQuery(target.kind === 'upload' ? seal(target, query) : query);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
