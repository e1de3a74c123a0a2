/**
 * The pull gate of `/v2`: reads of manifests are decided by the digest that the registry is about
 * to serve. See docs/decisions/0047-the-gate-on-every-door.md.
 */
import { folderOf, type Principal } from '@portcullis/domain';
import { forbidden, rateLimited } from '@portcullis/errors';
import {
  type DecidedPull,
  explain,
  type Gate,
  outcomeWord,
  pendingIn,
  refusalLine,
} from '@portcullis/gate';
import { isDigest } from '@portcullis/oci';
import type { Response } from 'express';
import type { AccessContext } from '../access/authorize.ts';
import { type Holds, whileOpen } from './holds.ts';

export interface PullGatePorts {
  images: Pick<Gate, 'rules' | 'decide' | 'decideWithin'>;
  /** Shared with all that holds pulls. */
  holds: Holds;
  waitMs: number;
  /** Requests the scan of manifests without a report; a failure is logged. */
  wantScans(digests: readonly string[], by: { repository: string; principal: Principal }): void;
  /** @throws unauthenticated or forbidden where the account may not read the repository any more */
  assertMayRead(access: AccessContext, repository: string): Promise<void>;
  /** Counts a decision. */
  count(labels: { mode: string; outcome: string }): void;
}

export interface PullGate {
  /** Whether reads of this repository's manifests are decided. */
  isOn(access: AccessContext, repository: string): Promise<boolean>;
  /**
   * Decides about the digest; waits for its scan while `response` is open.
   * @throws forbidden with the code of the refusal; rate_limited `PULL_PENDING`
   */
  decide(
    read: { access: AccessContext; repository: string; detailsUrl: string },
    digest: string | undefined,
    response: Response,
  ): Promise<DecidedPull>;
}

/** After the scan of a small image ended, in most cases. */
const RETRY_AFTER_SECONDS = 10;

export function createPullGate(ports: PullGatePorts): PullGate {
  const { images, holds, waitMs, wantScans, count } = ports;

  return {
    async isOn({ folders }, repository) {
      return (await images.rules()).gateOf(folderOf(repository, folders)).pullGate !== 'off';
    },
    async decide({ access, repository, detailsUrl }, digest, response) {
      const { principal, folders } = access;
      if (digest === undefined || !isDigest(digest))
        throw new Error('the registry served a manifest without saying its digest');
      const image = { digest, repository, folder: folderOf(repository, folders) };
      const pull = { image, account: principal };
      const first = await whileOpen(response, (signal) => images.decide({ ...pull, signal }));
      const isPending = first.decision.serve === null;
      if (isPending) wantScans(missingScans(first), { repository, principal });
      const decided = isPending
        ? await holds.hold({ accountId: principal.id, image: digest, response }, first, (signal) =>
            images.decideWithin(pull, { ms: waitMs, signal }),
          )
        : first;
      // The account may have lost its rights while it waited.
      if (isPending) await ports.assertMayRead(access, repository);
      count({ mode: decided.mode, outcome: outcomeWord(decided.decision) });
      assertServed(decided, detailsUrl);
      return decided;
    },
  };
}

/** A few manifests are scanned each; an index of many by one scan, which reports about each. */
const MOST_SCANS = 8;

function missingScans(decided: DecidedPull): string[] {
  const pending = pendingIn(decided);
  return pending.length > MOST_SCANS ? [decided.requested] : pending;
}

function assertServed(decided: DecidedPull, detailsUrl: string): void {
  const { decision } = decided;
  if (decision.serve) return;
  if (decision.serve === null)
    throw rateLimited(
      'PULL_PENDING',
      `the image is being scanned; pull it again in a moment. Details: ${detailsUrl}`,
      { retryAfter: RETRY_AFTER_SECONDS, detail: { decision: explain(decided) } },
    );
  const line = `${refusalLine(decision.code, decided)}. Details: ${detailsUrl}`;
  throw forbidden(decision.code, line, { detail: { decision: explain(decided) } });
}
