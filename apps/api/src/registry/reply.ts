/**
 * What precedes the first byte of a reply about a repository, from the registry or from its
 * storage: the decision of the pull gate, effects, audit events and headers.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { type DecidedPull, explain } from '@portcullis/gate';
import { type Digest, isDigest } from '@portcullis/oci';
import { answeredHeaders } from './headers.ts';
import type { ManifestBody } from './manifests/manifest-body.ts';
import { settleManifest } from './manifests/manifests.ts';
import { LEFT_BEHIND } from './manifests/own-statements.ts';
import { isListenable } from './manifests/pull-memory.ts';
import { type LocationContext, publicLocation } from './proxy/location.ts';
import type { V2Request } from './routes.ts';
import { assertNotEmptied } from './stored/emptied.ts';
import { noteReliance } from './uploads/blob-pins.ts';
import { withSeal } from './uploads/upload-session.ts';
import { noteUpload } from './uploads/uploads.ts';
import type { RegistryReply, RepositoryCall, V2 } from './v2.ts';
import { warningOf } from './warning.ts';

/** What precedes the first byte of a reply: the decision, its effects and its events. */
export async function settleReply(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  reply: RegistryReply,
  body?: ManifestBody,
): Promise<OutgoingHttpHeaders> {
  const { status, headers } = reply;
  assertNotEmptied(v2Request, call.route, reply);
  if (status < 300) call.negotiate?.(headers);
  const decided = status < 300 ? await call.decide?.(digestIn(reply)) : undefined;
  await noteReliance(v2, call, { v2Request, status, body });
  const settled = await settleManifest(v2, call, { status, headers, body });
  await tell(v2, call, { ...reply, decided });
  return {
    ...(await answerHeaders(v2, call, reply)),
    ...settled,
    ...(body?.sent && reducedHeaders(body.sent)),
    ...(decided && graceHeader(decided)),
  };
}

/** Clients compare the digest with the one that they sent. */
function reducedHeaders(sent: Digest): OutgoingHttpHeaders {
  return { 'docker-content-digest': sent, warning: warningOf(LEFT_BEHIND) };
}

/** Sends a reply without a body, as the registry would. */
export async function sendEmpty(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  reply: RegistryReply,
): Promise<void> {
  const headers = await settleReply(v2, call, v2Request, reply);
  call.response.writeHead(reply.status, headers).end();
}

/** The stages through which the registry's reply to a read passes. */
export function stagesFor(v2: V2, call: RepositoryCall, reply: RegistryReply): Transform[] {
  const { v2Request, route } = call;
  const isManifest =
    v2Request.method === 'GET' && route.kind === 'manifest' && reply.status === 200;
  const learner = isManifest ? v2.storedReads?.learn(route.repository, reply.headers) : null;
  const listener = isIndex(call, reply) ? v2.ports.pulls.listen(readerOf(call)) : null;
  return [learner, listener].filter((stage) => stage != null);
}

interface DecidedReply extends RegistryReply {
  /** The decision of the pull gate; undefined where it decides nothing. */
  decided?: DecidedPull | undefined;
}

function digestIn({ headers }: RegistryReply): string | undefined {
  return headers['docker-content-digest']?.toString();
}

/** Clients that show warnings show the end of the grace period (distribution spec § Warnings). */
function graceHeader({ decision, judged }: DecidedPull): OutgoingHttpHeaders {
  if (!('until' in decision)) return {};
  const text = `${judged.policy.name} blocks this image; it is served until ${decision.until.toISOString()}`;
  return { warning: warningOf(text) };
}

/** Each read of a pull is recorded once, according to the pull memory. */
async function tell(
  v2: V2,
  call: RepositoryCall,
  { status, headers, decided }: DecidedReply,
): Promise<void> {
  const { v2Request, route } = call;
  const isRead = v2Request.method === 'GET' && status < 400;
  if (isRead && route.kind === 'blob')
    return tellOfBlob(v2, call, { status, digest: route.digest });
  const digest = digestIn({ status, headers });
  const blocked = decided && isRead && isBlockedPull(decided) ? explain(decided) : undefined;
  const isManifest = isRead && route.kind === 'manifest';
  const isNews =
    blocked !== undefined ||
    !(isManifest && isDigest(route.reference)) ||
    (await v2.ports.pulls.isManifestNews(readerOf(call), route.reference));
  if (isNews) await call.record(status, { digest, decision: blocked });
  if (isManifest) await v2.ports.pulls.readManifest(readerOf(call));
}

/** Served although the policy allows it to no other account, or only for now. */
function isBlockedPull({ decision }: DecidedPull): boolean {
  return 'code' in decision && (decision.code !== 'PENDING' || decision.because === 'bypass');
}

async function tellOfBlob(
  v2: V2,
  call: RepositoryCall,
  { status, digest }: { status: number; digest: string },
): Promise<void> {
  if (await v2.ports.pulls.isBlobNews(readerOf(call), digest))
    await call.record(status, { isBlobAlone: true });
}

/** An index whose manifests belong to the same pull. */
export function isIndex(
  { v2Request, route }: RepositoryCall,
  { headers }: Pick<RegistryReply, 'headers'>,
): boolean {
  return v2Request.method === 'GET' && route.kind === 'manifest' && isListenable(headers);
}

export function readerOf({ principal, route }: RepositoryCall) {
  return { accountId: principal.id, repository: route.repository };
}

async function answerHeaders(
  v2: V2,
  { principal, route }: RepositoryCall,
  { status, headers }: RegistryReply,
): Promise<OutgoingHttpHeaders> {
  const { location } = headers;
  const context: LocationContext = {
    registryUrl: v2.registry.base,
    route,
    seal: (upload, query) => withSeal(v2.ports.tokenKey, principal.id, upload, query),
  };
  const ours = location === undefined ? null : publicLocation(location, status, context);
  await noteUpload(v2, route, { status, location: ours });
  return { ...answeredHeaders(headers), ...(ours && { location: ours }) };
}
