/** The page that a notification leads to. */
import type { Notification } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { repositoryPath } from '../../pages/images/repository-location.ts';

type Targeted = Pick<Notification, 'kind' | 'target' | 'target_id' | 'subject'> & {
  facts?: Partial<Pick<Notification['facts'], 'job_id'>> & { tags?: readonly string[] };
};

export function notificationPath(notification: Targeted): string {
  const { kind, target, target_id: id, subject, facts } = notification;
  const isForReviewer = kind === 'review.waiting' || !facts?.job_id;
  switch (target) {
    case 'job':
      return `/staging/${id ?? ''}`;
    case 'transfer':
      return `/transfers/${id ?? ''}`;
    case 'image':
      return repositoryPath(
        { registryId: LOCAL_REGISTRY_ID, repository: subject },
        facts?.tags?.[0],
      );
    case 'review':
      return isForReviewer ? `/reviews?open=${id ?? ''}` : `/staging/${facts?.job_id}`;
    case 'waiver': {
      const state = kind === 'waiver.waiting' ? 'review' : 'all';
      return `/waivers?${new URLSearchParams({ state, ...(id !== null && { open: id }) })}`;
    }
  }
}
