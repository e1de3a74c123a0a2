/** The page that a notification leads to. */
import type { Notification } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';

type Targeted = Pick<Notification, 'kind' | 'target' | 'target_id' | 'subject'>;

export function notificationPath({ kind, target, target_id: id, subject }: Targeted): string {
  switch (target) {
    case 'job':
      return `/staging/${id ?? ''}`;
    case 'transfer':
      return `/transfers/${id ?? ''}`;
    case 'image':
      return `/images/${LOCAL_REGISTRY_ID}/${subject}`;
    case 'waiver': {
      const state = kind === 'waiver.waiting' ? 'review' : 'all';
      return `/waivers?${new URLSearchParams({ state, ...(id !== null && { open: id }) })}`;
    }
  }
}
