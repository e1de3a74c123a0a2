/** Sends a request about a repository to the registry, or answers it from its storage. */

import { unlessBlob } from './manifests/blob-as-manifest.ts';
import { assertListedPresent } from './manifests/listed-manifests.ts';
import type { ManifestBody } from './manifests/manifest-body.ts';
import type { ProxyAnswer } from './proxy/proxy.ts';
import { isIndex, readerOf, settleReply, stagesFor } from './reply.ts';
import { operationOf, type V2Request } from './routes.ts';
import { unlessEmptied } from './stored/emptied.ts';
import type { StoredReply } from './stored/stored-reply.ts';
import { pinning, sha256Of } from './uploads/blob-pins.ts';
import type { RepositoryCall, V2 } from './v2.ts';

export async function forward(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  body?: ManifestBody,
): Promise<void> {
  if (operationOf(call.v2Request.method, call.route).isChange) await call.intend();
  await pinning(v2, call, { v2Request, body }, async () => {
    if (body) await assertListedPresent(v2.registryClient, call.route.repository, body.manifest);
    if (body) await v2.ports.storedUploads?.dropDamaged(sha256Of(body), body.bytes.length);
    const stored = await v2.storedReads?.find(v2Request, call.request.headers);
    if (stored) return sendStored(v2, call, v2Request, stored);
    const forwarding = v2.proxy.forward(call.request, call.response, {
      v2Request,
      body: body?.bytes ?? call.bytes,
      async answer(status, { headers }): Promise<ProxyAnswer> {
        const reply = { status, headers };
        call.answered?.();
        v2.storedReads?.learnAbsent(v2Request, reply);
        return {
          headers: await settleReply(v2, call, v2Request, reply, body),
          stages: stagesFor(v2, call, reply),
        };
      },
    });
    await forwarding.catch(async (error: unknown) => {
      throw await unlessEmptied(v2.storedReads, v2Request, await unlessBlob(v2, call, error));
    });
  });
}

/** The client may disconnect before the registry answers: what it asked for may still be done. */
export async function noticingAnswer(
  call: RepositoryCall,
  unanswered: () => void,
  work: (heard: RepositoryCall) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  await work({
    ...call,
    answered() {
      isAnswered = true;
    },
  });
  if (!isAnswered) unanswered();
}

/** @throws as the pull gate refuses the manifest */
async function sendStored(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  stored: StoredReply,
): Promise<void> {
  try {
    const headers = await settleReply(v2, call, v2Request, stored);
    if (stored.bytes && isIndex(call, stored))
      await v2.ports.pulls.readIndex(readerOf(call), stored.bytes);
    if (call.response.destroyed) return await stored.discard();
    call.response.writeHead(stored.status, headers);
  } catch (error) {
    await stored.discard();
    throw error;
  }
  await stored.send(call.response);
}
