/** One request to one repository: the right is asked, the upload's owner checked, the registry asked, the answer told of. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { assertAllowed, type Decision } from '@portcullis/domain';
import { type Asker, mayAsk, mountable } from './authorize.ts';
import { answeredHeaders } from './headers.ts';
import { type Deed, tell } from './image-audit.ts';
import { isListenable } from './index-children.ts';
import { type LocationContext, publicLink, publicLocation } from './location.ts';
import type { RepositoryRoute, V2Request } from './parse.ts';
import type { V2, V2Call } from './route.ts';
import { assertSeal, withSeal } from './upload-session.ts';

export async function serveRepository(v2: V2, call: V2Call, route: RepositoryRoute): Promise<void> {
  const { request, response, asked, principal } = call;
  const asker = { principal, folders: await v2.folders() };
  const told = (status: number, more: Partial<Deed> = {}) =>
    tell({ publish: v2.publishAudit, request, response }, { route, ...asker, status, ...more });

  const decision = mayAsk(asker, asked.method, route);
  await assertPermitted(decision, (code) => told(403, { code }));
  await v2.proxy.forward(request, response, {
    asked: upstreamRequest(v2, asker, asked),
    async answer(status, upstream) {
      const reader = { accountId: principal.id, repository: route.repository };
      const digest = upstream.headers['docker-content-digest']?.toString();
      const isPart = asked.method === 'GET' && digest !== undefined && v2.children.isChild(reader, digest);
      if (!isPart) await told(status, { digest });
      const headers = answerHeaders(v2, call, route, { status, upstream });
      const isIndex = asked.method === 'GET' && route.kind === 'manifest' && isListenable(upstream.headers);
      return { headers, through: isIndex ? v2.children.listen(reader) : null };
    },
  });
}

async function assertPermitted(decision: Decision, tellOf: (code: string) => Promise<void>): Promise<void> {
  if (!decision.allowed) await tellOf(decision.code);
  assertAllowed(decision);
}

/** What is asked of the registry: never more than was decided on. */
function upstreamRequest({ tokenKey }: V2, asker: Asker, asked: V2Request): V2Request {
  const { route, query } = asked;
  switch (route.kind) {
    case 'upload-start':
      return { ...asked, query: mountable(asker, query) };
    case 'upload':
      return { ...asked, query: assertSeal(tokenKey, asker.principal.id, route, query) };
    default:
      return asked;
  }
}

interface Answer {
  status: number;
  upstream: IncomingMessage;
}

function answerHeaders(
  { registry, tokenKey }: V2,
  { principal }: V2Call,
  route: RepositoryRoute,
  { status, upstream }: Answer,
): OutgoingHttpHeaders {
  const { location, link } = upstream.headers;
  const context: LocationContext = {
    registryUrl: registry,
    route,
    seal: (upload, query) => withSeal(tokenKey, principal.id, upload, query),
  };
  const ours = location === undefined ? null : publicLocation(location, status, context);
  const next = link === undefined ? null : publicLink(link.toString(), context);
  return {
    ...answeredHeaders(upstream.headers),
    ...(ours && { location: ours }),
    ...(next && { link: next }),
  };
}
