/** What `pcs request-review` prints of a review request. */
import { countText } from '@portcullis/command';
import type { Review } from '@portcullis/contract';
import { waitText } from '@portcullis/domain';

export function reviewLines(review: Review): string[] {
  const { number, state, image, destination, push } = review;
  const { host, folder, repository, tag } = destination;
  const to = folder === null ? `${host}/${repository}:${tag}` : `${repository}:${tag}`;
  return [
    `#${number}: ${state.replace('_', ' ')}, ${askedBy(review)} of ${image.repository}:${image.tag} for ${to}`,
    ...stateLines(review),
    ...(push?.state === 'refused' ? [`  the push was refused (${push.code})`] : []),
  ];
}

/** What it asks to accept. */
function askedBy({ findings_total: total, age }: Review): string {
  const found = `${total} ${total === 1 ? 'vulnerability' : 'vulnerabilities'}`;
  if (age === null) return found;
  const waits = `the age (it ${waitText(new Date(age.waits_until))} otherwise)`;
  return total === 0 ? waits : `${found} and ${waits}`;
}

function stateLines(review: Review): string[] {
  const { state, closed, approvals_needed: needed, ends_at: end } = review;
  if (state === 'open')
    return [`  it needs ${countText(needed, 'approval')} until ${end.slice(0, 10)}`];
  const { findings_total: total, approved_total: approved, age, until } = review;
  const accepted = approved > 0 || age?.approved === true;
  const by = closed?.by.username ?? null;
  return [
    ...(state === 'partly_approved'
      ? [`  ${approved} of ${total} were approved${ageOf(age)}`]
      : []),
    ...(accepted ? [`  until ${until.slice(0, 10)}`] : []),
    ...(by === null ? [] : [`  by ${by}${closed?.comment ? `: ${closed.comment}` : ''}`]),
  ];
}

/** Of an approval of a part. */
function ageOf(age: Review['age']): string {
  if (age === null) return '';
  return age.approved ? ', and the age' : ', and not the age';
}
