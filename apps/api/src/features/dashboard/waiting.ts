/** What waits for a decision of the caller, as the queues of the page list it. */
import type { Attention } from '@portcullis/contract';
import { foldersWith, mayReviewWaivers, type Principal, reviewViewer } from '@portcullis/domain';
import type { Store, WaitingCount } from '@portcullis/store';

export interface WaitingPorts {
  reviews: Pick<Store['reviews'], 'waiting'>;
  waivers: Pick<Store['waivers'], 'waiting'>;
  now(): Date;
}

export type NoticedThing = Omit<Attention, 'oldest_at'> & { oldestAt: Date | null };

export async function waitingFor(
  principal: Principal,
  { reviews, waivers, now }: WaitingPorts,
): Promise<NoticedThing[]> {
  if (!mayReviewWaivers(principal).allowed) return [];
  const { id: accountId, isAdmin, grants } = principal;
  const folders = foldersWith(grants, 'pull');
  const [asked, single] = await Promise.all([
    reviews.waiting({ reviewableBy: accountId, visibleTo: reviewViewer(principal) }, now()),
    waivers.waiting(
      { reviewableBy: accountId, visibleTo: isAdmin ? undefined : { accountId, folders } },
      now(),
    ),
  ]);
  return [...noticed('reviews_waiting', asked), ...noticed('waivers_waiting', single)];
}

function noticed(kind: Attention['kind'], { count, oldestAt }: WaitingCount): NoticedThing[] {
  return count > 0 ? [{ kind, level: 'warning', count, oldestAt }] : [];
}
