/** What `pcs request-review` prints of a review request. */
import type { Review } from '@portcullis/contract';

export function reviewLines(review: Review): string[] {
  const { number, state, image, destination, findings_total: total, push } = review;
  const { host, folder, repository, tag } = destination;
  const to = folder === null ? `${host}/${repository}:${tag}` : `${repository}:${tag}`;
  const found = `${total} ${total === 1 ? 'vulnerability' : 'vulnerabilities'}`;
  return [
    `#${number}: ${state.replace('_', ' ')}, ${found} of ${image.repository}:${image.tag} for ${to}`,
    ...stateLines(review),
    ...(push?.state === 'refused' ? [`  the push was refused (${push.code})`] : []),
  ];
}

function stateLines(review: Review): string[] {
  const { state, closed, approvals_needed: needed, ends_at: end } = review;
  if (state === 'open')
    return [`  it needs ${needed} approval${needed === 1 ? '' : 's'} until ${end.slice(0, 10)}`];
  const { findings_total: total, approved_total: approved, until } = review;
  const by = closed?.by.username ?? null;
  return [
    ...(state === 'partly_approved' ? [`  ${approved} of ${total} were approved`] : []),
    ...(approved > 0 ? [`  until ${until.slice(0, 10)}`] : []),
    ...(by === null ? [] : [`  by ${by}${closed?.comment ? `: ${closed.comment}` : ''}`]),
  ];
}
