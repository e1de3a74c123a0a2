/** Requesting and reviewing waivers, and what they cover. */
import {
  assertAllowed,
  foldersWith,
  isWaiverEnd,
  MOST_WAIVER_DAYS,
  mayRequestWaiver,
  mayReviewWaivers,
  type Principal,
  type WaiverScope,
} from '@portcullis/domain';
import { type AppError, notFound } from '@portcullis/errors';
import { createWaiverReviews } from '@portcullis/gate';
import type {
  NewWaiver,
  Page,
  Store,
  StoredWaiver,
  WaiverCoverage,
  WaiverFilter,
} from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import { inKnownFolder } from '../folders/in-known-folder.ts';

export interface WaiversPorts {
  store: Pick<Store, 'waivers' | 'users' | 'folders' | 'mirrors'>;
  /** How many different accounts have to approve a waiver. */
  approvalsNeeded: number;
  /** Call after a change: processes judge images again. */
  changed(): Promise<void>;
  now(): Date;
}

/** A waiver with what its view shows beyond the row. */
export interface ShownWaiver {
  waiver: StoredWaiver;
  isInForce: boolean;
  hasEnded: boolean;
  /** The usernames of accounts that approved it; deleted accounts have none. */
  names: ReadonlyMap<string, string>;
}

interface WaiverQuery extends Omit<WaiverFilter, 'visibleTo' | 'reviewableBy'> {
  /** Only those that wait for the approval of the caller. */
  reviewable?: boolean | undefined;
}

const MOST_SHOWN = 100;

export function createWaiversService({ store, approvalsNeeded, changed, now }: WaiversPorts) {
  const { waivers } = store;
  const reviews = createWaiverReviews({ store, approvalsNeeded, now });

  async function present(found: readonly StoredWaiver[]): Promise<ShownWaiver[]> {
    const at = now();
    const approved = found.filter(({ state }) => state === 'approved').map(({ id }) => id);
    const [inForce, names] = await Promise.all([
      approved.length > 0 ? waivers.inForceOf(approved, at) : new Set<string>(),
      namesOf(found.flatMap(({ approvals }) => approvals.map(({ accountId }) => accountId))),
    ]);
    return found.map((waiver) => ({
      waiver,
      isInForce: inForce.has(waiver.id),
      hasEnded: waiver.expiresAt <= at,
      names,
    }));
  }

  async function namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const accounts = await Promise.all([...new Set(ids)].map((id) => store.users.find(id)));
    return new Map(
      accounts.flatMap((account) => (account ? [[account.id, account.username]] : [])),
    );
  }

  async function one(waiver: StoredWaiver): Promise<ShownWaiver> {
    const [only] = await present([waiver]);
    if (!only) throw unknownWaiver();
    return only;
  }

  async function list(
    principal: Principal,
    { reviewable = false, ...filter }: WaiverQuery,
  ): Promise<Page<ShownWaiver>> {
    if (reviewable && !mayReviewWaivers(principal).allowed)
      return { items: [], total: 0, nextCursor: null };
    const reviewableBy = reviewable ? principal.id : undefined;
    const visibleTo = principal.isAdmin
      ? undefined
      : { accountId: principal.id, folders: foldersWith(principal.grants, 'pull') };
    const page = await waivers.list({ ...filter, reviewableBy, visibleTo }, now());
    return { ...page, items: await present(page.items) };
  }

  /** @throws not_found `WAIVER_UNKNOWN` also where the account may not see it */
  async function visible(principal: Principal, id: string): Promise<StoredWaiver> {
    const waiver = await waivers.get(id);
    if (!maySee(principal, waiver)) throw unknownWaiver();
    return waiver;
  }

  async function request(
    principal: Principal,
    asked: Omit<NewWaiver, 'requestedById' | 'vexDocument' | 'vexAuthor'>,
  ): Promise<ShownWaiver> {
    assertAllowed(mayRequestWaiver(principal, asked, await store.mirrors.byFolder()));
    assertEnd(asked.expiresAt, now());
    const wanted = { ...asked, vexDocument: null, requestedById: principal.id };
    const waiver = await inKnownFolder(asked.folder, () => waivers.insertWaiver(wanted));
    await changed();
    return one(waiver);
  }

  /** Each way to review a waiver that the account may see. */
  async function reviewWaiver(
    principal: Principal,
    id: string,
    review: (waiver: StoredWaiver) => Promise<StoredWaiver>,
  ): Promise<ShownWaiver> {
    const stored = await review(await visible(principal, id));
    await changed();
    return one(stored);
  }

  /** Accounts that review waivers get the numbers of all folders. */
  async function coverage(principal: Principal, scope: WaiverScope): Promise<WaiverCoverage> {
    const folders = principal.isAdmin ? 'all' : foldersWith(principal.grants, 'pull');
    const readable = await waivers.coverage({ scope, folders, limit: MOST_SHOWN });
    if (folders === 'all' || !mayReviewWaivers(principal).allowed) return readable;
    const all = await waivers.coverage({ scope, folders: 'all', limit: 0 });
    return { ...all, items: readable.items };
  }

  return {
    approvalsNeeded,
    shown: present,
    list,
    get: async (principal: Principal, id: string) => one(await visible(principal, id)),
    request,
    approve: (principal: Principal, id: string) =>
      reviewWaiver(principal, id, (waiver) => reviews.approve(principal, waiver)),
    reject: (principal: Principal, id: string, reason: string) =>
      reviewWaiver(principal, id, (waiver) => reviews.reject(principal, waiver, reason)),
    revoke: (principal: Principal, id: string, reason: string | null) =>
      reviewWaiver(principal, id, (waiver) => reviews.revoke(principal, waiver, reason)),
    preview: coverage,
    covered: async (principal: Principal, id: string) =>
      coverage(principal, await visible(principal, id)),
  };
}
export type WaiversService = ReturnType<typeof createWaiversService>;

function maySee({ id, isAdmin, grants }: Principal, waiver: StoredWaiver): boolean {
  if (isAdmin || waiver.requestedById === id || waiver.folder === null) return true;
  return foldersWith(grants, 'pull').includes(waiver.folder);
}

/** @throws invalid `WAIVER_END_INVALID` */
function assertEnd(end: Date, now: Date): void {
  if (isWaiverEnd(end, now)) return;
  const message = `An end in the future, at most ${MOST_WAIVER_DAYS} days from now, is expected.`;
  throw fieldInvalid('expires_at', 'WAIVER_END_INVALID', message, { days: MOST_WAIVER_DAYS });
}

function unknownWaiver(): AppError {
  return notFound('WAIVER_UNKNOWN', 'There is no waiver with this id.');
}
