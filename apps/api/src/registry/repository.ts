/** Serves one request to a repository: checks the right and the token, answers, and audits. */
import { assertAllowed, type Decision } from '@portcullis/domain';
import { wantBody } from '../http/expect-continue.ts';
import { isCovered, mayAsk, SCOPE_INSUFFICIENT, scopeInsufficient } from './access/authorize.ts';
import { assertFraming } from './headers.ts';
import { createImageAudit } from './manifests/image-audit.ts';
import { pullManifest, readBlob, readReferrers, readTags } from './reads.ts';
import { removeByDigest, removeManifest } from './removals.ts';
import { operationOf, type RepositoryRoute } from './routes.ts';
import type { RepositoryCall, V2, V2Call } from './v2.ts';
import { continueUpload, startUpload, writeManifest } from './writes.ts';

export async function serveRepository(v2: V2, call: V2Call, route: RepositoryRoute): Promise<void> {
  const { request, response, v2Request, principal, scopes } = call;
  const access = { principal, ...(await v2.ports.knownFolders()) };
  const audience = {
    publish: v2.ports.publishAudit,
    changes: v2.ports.auditChanges,
    request,
    response,
  };
  const { record, intend, failed } = createImageAudit(audience, { route, ...access });

  await assertPermitted(mayAsk(access, v2Request, route), (code) => record(403, { code }));
  // After the rights: no token helps where the account lacks the right.
  if (!isCovered(scopes, v2Request.method, route)) {
    await record(401, { code: SCOPE_INSUFFICIENT });
    throw scopeInsufficient(v2Request);
  }
  assertFraming(v2Request.method, request.headers);
  wantBody(request, response);
  try {
    await serve(v2, { ...call, route, access, record, intend });
  } catch (error) {
    await failed(error);
    throw error;
  }
}

async function assertPermitted(
  decision: Decision,
  recordDenial: (code: string) => Promise<void>,
): Promise<void> {
  if (!decision.allowed) await recordDenial(decision.code);
  assertAllowed(decision);
}

function serve(v2: V2, call: RepositoryCall): Promise<void> {
  const { v2Request, route } = call;
  const { right } = operationOf(v2Request.method, route);
  switch (route.kind) {
    case 'tags':
      return readTags(v2, call, route);
    case 'referrers':
      return readReferrers(v2, call, route);
    case 'manifest':
      if (right === 'pull') return pullManifest(v2, call, route);
      return right === 'delete' ? removeManifest(v2, call, route) : writeManifest(v2, call, route);
    case 'blob':
      return right === 'delete' ? removeByDigest(v2, call, route) : readBlob(v2, call);
    case 'upload-start':
      return startUpload(v2, call, route);
    case 'upload':
      return continueUpload(v2, call, route);
  }
}
