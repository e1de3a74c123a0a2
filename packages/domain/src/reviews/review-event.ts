/** What audit events of a review request name. */
import { formatImage } from '@portcullis/oci';
import { authoritiesIn } from '../signatures/signature-policy.ts';
import type { Review } from './review.ts';

export function reviewResource({
  number,
  image,
  destination: { folder },
}: Pick<Review, 'number' | 'image' | 'destination'>) {
  return {
    ...{ kind: 'review', id: String(number) },
    name: formatImage(image.repository, image.tag),
    ...(folder !== null && { folder }),
  };
}

/** What an event says of a request that asks for more than vulnerabilities. */
export function reviewBeside({ age, signatures }: Pick<Review, 'age' | 'signatures'>) {
  return {
    ...(age && { waits_until: age.waitsUntil.toISOString() }),
    ...(signatures && { missing_signatures: authoritiesIn({ signatures }) }),
  };
}

/** Where the image is to be pushed: `host/repository:tag`. */
export function reviewDestinationName({ host, repository, tag }: Review['destination']): string {
  return formatImage(`${host}/${repository}`, tag);
}
