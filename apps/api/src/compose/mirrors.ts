/** The door of mirrors, with what it asks and makes. */
import { unlessMissing } from '@portcullis/errors';
import { subscribeProgress } from '@portcullis/events';
import { principalOf } from '../identity/principals.ts';
import type { Holds } from '../registry/gate/holds.ts';
import { createAttached } from '../registry/mirror/attached.ts';
import { createBringIns } from '../registry/mirror/bring-ins.ts';
import { createDueChecks, type DueChecks } from '../registry/mirror/due-checks.ts';
import { createHeldChanges } from '../registry/mirror/held-changes.ts';
import { createMirrorReads, type MirrorReads } from '../registry/mirror/mirror-reads.ts';
import { createUpstreams } from '../registry/mirror/upstream.ts';
import { assertMayRead } from './pull-gate.ts';
import type { Connections, Shared } from './shared.ts';

const LOOK_MS = 10_000;
const LABELS = ['registry', 'outcome'] as const;

export interface MirrorParts {
  door: MirrorReads;
  dueChecks: DueChecks;
}

export function openMirrors(
  { config, queues, redis, metrics, log }: Connections,
  shared: Shared,
  holds: Holds,
): MirrorParts {
  const { store, access, gates, assertJobs, publicHost } = shared;
  const { principals } = shared.identity;
  const upstream = createUpstreams({
    openUpstream: access.openUpstream,
    mirrors: store.mirrors,
    count: metrics.counter('mirror_checks_total', 'Questions to upstreams of mirrors', LABELS),
  });
  const bringIns = createBringIns({
    ...{ mirrors: store.mirrors, jobs: store.jobs, queues, assertJobs, publicHost, log },
    ...{ pushGate: gates.pushGate, ageFixes: gates.ageFixes },
    subscribe: (options) => subscribeProgress(redis, options),
    async account(id) {
      const account = await principals.account(id);
      return account && principalOf(account, { auth: 'system' });
    },
    now: () => new Date(),
  });
  const { immutableTags } = gates;
  const heldChanges = createHeldChanges({ store: store.mirrors });
  const { mirrors } = store;
  const common = {
    mirrors: principals.mirrors,
    store: mirrors,
    upstream,
    bringIns,
    heldChanges,
    log,
  };
  async function has(repository: string, digest: string): Promise<boolean> {
    const signal = AbortSignal.timeout(LOOK_MS);
    const found = access.openLocal(repository).resolve(digest, { signal });
    return (await unlessMissing(found)) !== null;
  }
  const waitMs = config.PULL_GATE_WAIT_SECONDS * 1_000;
  return {
    door: createMirrorReads({
      ...{ has, waitMs },
      attached: createAttached({ ...common, has, holds, waitMs }),
      attempts: store.mirrorAttempts,
      ...{ ...common, immutableTags, holds },
      count: metrics.counter('mirror_pulls_total', 'Pulls that waited for an upstream', LABELS),
      assertMayRead: (context, repository) => assertMayRead(shared, context, repository),
    }),
    dueChecks: createDueChecks({ ...common, immutableTags }),
  };
}
