/** The mail to the requester of waivers that end soon. */
import type { AuditEvent } from '@portcullis/events';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

const MOST_LINES = 200;

interface ListedWaiver {
  vulnerability: string;
  scope: string;
  expiresAt: string;
}

/** @param event `WAIVER_ENDING` */
export function waiverMail({ id, detail }: Pick<AuditEvent, 'id' | 'detail'>): Mail {
  const { lines: listed, count, first } = waiverLines(detail);
  const subject =
    first !== null && count === 1
      ? `your waiver of ${first} ends soon`
      : `${count} of your waivers end soon`;
  const lines = [
    'These waivers end soon; images that need them are blocked then. Request others in time.',
    '',
    ...listed,
  ];
  return {
    subject: `[Portcullis] ${oneLine(subject, 120)}`,
    text: `${lines.join('\n')}\n`,
    messageId: `<${id}.waivers@portcullis>`,
    attachment: null,
  };
}

/** A line for each waiver of the event, at most 200; `first` is the first vulnerability. */
export function waiverLines(detail: Record<string, unknown>): {
  lines: string[];
  count: number;
  first: string | null;
} {
  const waivers = waiversIn(detail);
  const lines = waivers
    .slice(0, MOST_LINES)
    .map(({ vulnerability, scope, expiresAt }) =>
      oneLine(`${expiresAt}  ${vulnerability}${scope}`, 500),
    );
  const more = waivers.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  return { lines, count: waivers.length, first: waivers[0]?.vulnerability ?? null };
}

function waiversIn({ waivers }: Record<string, unknown>): ListedWaiver[] {
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
