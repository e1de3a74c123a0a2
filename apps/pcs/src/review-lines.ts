/** What `pcs request-review` prints of a review request. */
import { countText } from '@portcullis/command';
import { type Review, requirementRule } from '@portcullis/contract';
import { authoritiesIn, requestText } from '@portcullis/domain';

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
function askedBy({ findings_total: total, age, signatures }: Review): string {
  const waitsUntil = age && new Date(age.waits_until);
  const missingSignatures =
    signatures && authoritiesIn({ signatures: signatures.missing.map(requirementRule) });
  return requestText({ findings: total, waitsUntil, missingSignatures });
}

function stateLines(review: Review): string[] {
  const { state, closed, approvals_needed: needed, ends_at: end } = review;
  if (state === 'open')
    return [`  it needs ${countText(needed, 'approval')} until ${end.slice(0, 10)}`];
  const { findings_total: total, approved_total: approved, age, signatures, until } = review;
  const accepted = approved > 0 || age?.approved === true || signatures?.approved === true;
  const by = closed?.by.username ?? null;
  return [
    ...(state === 'partly_approved'
      ? [
          `  ${approved} of ${total} were approved${partOf('age', age)}${partOf('signatures', signatures)}`,
        ]
      : []),
    ...(accepted ? [`  until ${until.slice(0, 10)}`] : []),
    ...(by === null ? [] : [`  by ${by}${closed?.comment ? `: ${closed.comment}` : ''}`]),
  ];
}

/** Of an approval of a part. */
function partOf(name: string, part: Review['age'] | Review['signatures']): string {
  if (part === null) return '';
  return part.approved ? `, and the ${name}` : `, and not the ${name}`;
}
