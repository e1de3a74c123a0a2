/**
 * Keeps the signed statements about tagged images as folders ask for them: written when an image
 * was judged, withdrawn when its standing changes, and signed again before readers find it too old.
 * What is due follows from the rows, so that nothing is missed.
 */
import type { SigningKey } from '@portcullis/attest';
import type { LeftOut } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import { type AuditLog, systemEvent } from '@portcullis/events';
import type { IndexKeeper, WriteLock } from '@portcullis/local-registry';
import { parseDigest } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { Logger } from '@portcullis/runtime';
import type { ClaimedStatement, StatementKey, Store, WantedStatement } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';

import { paced } from '../paced.ts';
import { failureOf } from '../run-failure.ts';

export interface KeepStatementsPorts {
  statements: Pick<
    Store['statements'],
    'due' | 'claim' | 'begin' | 'written' | 'leftOut' | 'withdrawn' | 'removed' | 'release' | 'fail'
  >;
  signer(): Promise<SigningKey | null>;
  prepare(claimed: StatementOrder, key: SigningKey): Promise<PreparedStatement | LeftOut>;
  /** Removes it from cosign's tag of attestations. */
  withdrawTagged(statement: StatementKey, signal: AbortSignal): Promise<void>;
  open(repository: string): Pick<Repository, 'remove'>;
  keeper: Pick<IndexKeeper, 'removed'>;
  registryLock: Pick<WriteLock, 'write'>;
  audit: Pick<AuditLog, 'flushSoon'>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

export type StatementOrder = StatementKey & { wanted: WantedStatement };

export interface PreparedStatement {
  /** The digest of its manifest. */
  manifest: string;
  /** @returns the manifest under cosign's tag that has it as well */
  store(signal: AbortSignal): Promise<string | null>;
}

/** Found by one query, which reads all standings of the folders that ask. */
const FOUND = 500;
const AT_ONCE = 4;
const PACE = { shortestMs: 5_000, longestMs: 30_000 };
/** For one statement; its claim lasts longer. */
const WRITING_MS = 60_000;
const SIGNER = { id: null, name: 'signer' };

/** Called in a loop. True where it worked and the next call may follow at once. */
export function statementKeeper(ports: KeepStatementsPorts) {
  const { statements, signer, prepare, searchFactor, now, log } = ports;

  async function work(signal: AbortSignal): Promise<boolean> {
    const key = await signer();
    if (key === null) return false;
    const due = (await statements.due(FOUND)).values();
    let kept = 0;
    const next = async () => {
      for (const place of due) {
        signal.throwIfAborted();
        const claimed = await statements.claim(place);
        if (!claimed) continue;
        if (await keep(claimed, key, signal)) kept += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    if (kept > 0) log.info({ kept }, 'signed or withdrew statements about images');
    return kept > 0;
  }

  /** False where it failed, and is tried again later. */
  async function keep(
    claimed: ClaimedStatement,
    key: SigningKey,
    stopping: AbortSignal,
  ): Promise<boolean> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(WRITING_MS)]);
    try {
      await bringUpToDate(claimed, key, signal);
      await statements.release(claimed);
      return true;
    } catch (err) {
      if (stopping.aborted) await statements.release(claimed);
      else await note(claimed, err);
      return false;
    }
  }

  async function bringUpToDate(claimed: ClaimedStatement, key: SigningKey, signal: AbortSignal) {
    const { wanted, says, manifest, leftover } = claimed;
    // What an interrupted worker left, which may say the contrary.
    if (leftover.length > 0) await ports.withdrawTagged(claimed, signal);
    await removeAll(claimed, leftover, signal);
    const made = wanted && (await prepare({ ...claimed, wanted }, key));
    const isRenewed = isPrepared(made) && says === wanted?.says;
    if (says !== null && !isRenewed && !(await withdraw(claimed, made, signal))) return;
    if (!wanted || made === null) return;
    const said = { says: wanted.says, keyId: key.id };
    if (!isPrepared(made)) {
      await statements.leftOut(claimed, { ...said, why: made });
      return;
    }
    if (!(await statements.begin(claimed, made.manifest))) return;
    const tagged = await made.store(signal);
    const event = isRenewed ? null : eventOf(claimed, 'statement.signed');
    const written = { ...said, manifest: made.manifest, tagged, event };
    if (!(await statements.written(claimed, written))) return;
    if (manifest !== null && isRenewed) await removeAll(claimed, [manifest], signal);
    if (event) ports.audit.flushSoon();
  }

  /** Before the next one: a reader who accepts any of two would accept what holds no longer. */
  async function withdraw(
    claimed: ClaimedStatement,
    next: PreparedStatement | LeftOut | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { manifest } = claimed;
    const isEvent = manifest !== null && !isPrepared(next);
    const event = isEvent ? eventOf(claimed, 'statement.withdrawn') : null;
    if (!(await statements.withdrawn(claimed, event))) return false;
    if (manifest === null) return true;
    await ports.withdrawTagged(claimed, signal);
    await removeAll(claimed, [manifest], signal);
    return true;
  }

  async function removeAll(
    claimed: ClaimedStatement,
    manifests: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { repository } = claimed;
    for (const each of manifests) {
      const digest = parseDigest(each);
      await ports.registryLock.write(() =>
        unlessMissing(ports.open(repository).remove(digest, { signal })),
      );
      await ports.keeper.removed({ repository, reference: digest });
      await statements.removed(claimed, digest);
    }
  }

  async function note(claimed: ClaimedStatement, err: unknown): Promise<void> {
    const { repository, digest, kind } = claimed;
    log.warn({ err, repository, digest, kind }, 'a statement could not be written');
    await statements.fail(claimed, failureOf(err));
  }

  return paced({ ...PACE, searchFactor, now }, work);
}

function isPrepared(made: PreparedStatement | LeftOut | null): made is PreparedStatement {
  return made !== null && typeof made !== 'string';
}

function eventOf(
  { repository, digest, kind, wanted }: ClaimedStatement,
  event: 'statement.signed' | 'statement.withdrawn',
) {
  return systemEvent({
    event,
    outcome: 'success',
    actor: SIGNER,
    action: event === 'statement.signed' ? 'sign' : 'withdraw',
    resource: {
      kind: 'image',
      id: digest,
      name: repository,
      ...(wanted && { folder: wanted.folder }),
    },
    detail: {
      statement: kind,
      ...(wanted?.stated.kind === 'verdict' && { passes: wanted.stated.facts.passes }),
    },
  });
}
