/** The pull gate of `/v2`, with the scans that pulls of unknown images request. */
import { assertAllowed, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { LRUCache } from 'lru-cache';
import { tokenInvalid } from '../identity/tokens.ts';
import { type AccessContext, mayDo } from '../registry/access/authorize.ts';
import type { Holds } from '../registry/gate/holds.ts';
import { createPullGate, type PullGate, type PullGatePorts } from '../registry/gate/pull-gate.ts';
import type { Connections, Shared } from './shared.ts';

/** A scan that was requested a moment ago is not requested again. */
const REQUESTED_MS = 60_000;
const MOST_REQUESTED = 10_000;

export function openPullGate(deps: Connections, shared: Shared, holds: Holds): PullGate {
  const pulls = deps.metrics.counter('gate_pulls_total', 'Manifest reads that the gate decided', [
    'mode',
    'outcome',
  ]);
  return createPullGate({
    images: shared.imageGate,
    holds,
    waitMs: deps.config.PULL_GATE_WAIT_SECONDS * 1_000,
    wantScans: scanRequests(deps, shared),
    assertMayRead: (access, repository) => assertMayRead(shared, access, repository),
    count: (labels) => pulls.add(labels),
  });
}

/** As at the beginning of the request, with the present rights of the credential. */
export async function assertMayRead(
  { identity: { principals, registryAccounts } }: Shared,
  { principal: { id, auth, tokenId } }: AccessContext,
  repository: string,
): Promise<void> {
  const voucher = { auth, ...(tokenId !== undefined && { tokenId }) };
  const principal = await registryAccounts.principalById(id, voucher);
  if (!principal) throw tokenInvalid();
  const access = { principal, ...(await principals.knownFolders()) };
  const decision = mayDo(access, 'pull', repository);
  if (!decision.allowed && !mayDo(access, 'push', repository).allowed) assertAllowed(decision);
}

function scanRequests(
  { queues, log }: Connections,
  { store, scanner }: Shared,
): PullGatePorts['wantScans'] {
  const requested = new LRUCache<string, true>({ max: MOST_REQUESTED, ttl: REQUESTED_MS });

  async function request(
    digest: string,
    { repository, principal }: Parameters<PullGatePorts['wantScans']>[1],
  ): Promise<void> {
    if (!(await scanner.facts()).enabled) return;
    const scan = { registryId: LOCAL_REGISTRY_ID, repository, digest, requestedById: principal.id };
    if (await store.scans.findOpen(scan)) return;
    const { id, attempts } = await store.scans.insert({
      ...scan,
      reference: digest,
      state: 'queued',
    });
    await queues.wake({ kind: 'image-scan', id, attempts });
  }

  return (digests, by) => {
    for (const digest of digests) {
      if (requested.has(digest)) continue;
      requested.set(digest, true);
      request(digest, by).catch((err: unknown) => {
        requested.delete(digest);
        log.warn({ err, digest }, 'the scan for a pull could not be requested');
      });
    }
  };
}
