/**
 * Rewrites `Location` and `Link` of the registry to our addresses; refuses those of another
 * repository.
 */
import { isAppError } from '@portcullis/errors';
import { isRepositoryRoute } from '../access/authorize.ts';
import { parsePath, pathOf, type RepositoryRoute } from '../parse.ts';
import { formatQuery, parseQuery, type Query } from '../query.ts';
import type { UploadRoute } from '../uploads/upload-session.ts';

export interface LocationContext {
  registryUrl: URL;
  route: RepositoryRoute;
  /** Adds what an upload's address must carry. */
  seal(route: UploadRoute, query: Query): Query;
}

/**
 * A path without a host: it stays right behind whatever name or port the client came by. Null: not
 * to be shown.
 */
export function publicLocation(
  location: string,
  status: number,
  context: LocationContext,
): string | null {
  const url = URL.parse(location, context.registryUrl.origin);
  if (!url) return null;
  // Redirects are followed by us (store-reader.ts). A registry that knows itself by another name
  // gives that in 2xx.
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
