/** The mail to the requester of waivers that end soon. */
import type { AuditEvent } from '@portcullis/events';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

const MOST_LINES = 200;

interface Ending {
  vulnerability: string;
  scope: string;
  expiresAt: string;
}

/** @param event `WAIVER_ENDING` */
export function waiverMail({ id, detail }: Pick<AuditEvent, 'id' | 'detail'>): Mail {
  const ending = endingIn(detail);
  const [first] = ending;
  const subject =
    first && ending.length === 1
      ? `your waiver of ${first.vulnerability} ends soon`
      : `${ending.length} of your waivers end soon`;
  const shown = ending
    .slice(0, MOST_LINES)
    .map(({ vulnerability, scope, expiresAt }) =>
      oneLine(`${expiresAt}  ${vulnerability}${scope}`, 500),
    );
  const more = ending.length - shown.length;
  const lines = [
    'These waivers end soon; images that need them are blocked then. Request others in time.',
    '',
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
  return {
    subject: `[Portcullis] ${oneLine(subject, 120)}`,
    text: `${lines.join('\n')}\n`,
    messageId: `<${id}.waivers@portcullis>`,
    attachment: null,
  };
}

function endingIn({ waivers }: Record<string, unknown>): Ending[] {
  const listed: unknown[] = Array.isArray(waivers) ? waivers : [];
  return listed.map((waiver) => {
    const scope = (['package', 'repository', 'digest', 'folder'] as const).flatMap((term) => {
      const value = textOf(waiver, term);
      return value === '' ? [] : [`${term} ${value}`];
    });
    return {
      vulnerability: textOf(waiver, 'vulnerability'),
      scope: scope.length > 0 ? ` (${scope.join(', ')})` : '',
      expiresAt: textOf(waiver, 'expires_at'),
    };
  });
}

function textOf(waiver: unknown, field: string): string {
  if (typeof waiver !== 'object' || waiver === null) return '';
  const value: unknown = Reflect.get(waiver, field);
  return typeof value === 'string' ? value : '';
}
