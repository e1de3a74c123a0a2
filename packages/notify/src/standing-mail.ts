/**
 * The mail to an owner of images: which are blocked now, which pass again, and which
 * vulnerabilities were found for the first time.
 */
import {
  IMAGE_BLOCKED,
  IMAGE_CLEARED,
  standingIn,
  standingText,
  VULNERABILITY_APPEARED,
} from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

export const STANDING_EVENTS: ReadonlySet<string> = new Set([
  IMAGE_BLOCKED,
  IMAGE_CLEARED,
  VULNERABILITY_APPEARED,
]);

const MOST_LINES = 200;
const MOST_NAMED = 5;

type StandingEvent = Pick<AuditEvent, 'id' | 'at' | 'event' | 'resource' | 'detail'>;

/** The ids of the accounts that such an event is for. */
export function ownersOf({ detail }: Pick<AuditEvent, 'detail'>): string[] {
  return listIn(detail, 'owners').flatMap((owner) => {
    const id = fieldOf(owner, 'id');
    return typeof id === 'string' ? [id] : [];
  });
}

/**
 * @param events of `STANDING_EVENTS`, at least one
 * @param reader the id of the account that the mail is for: it names only that account's folders
 */
export function standingMail(events: readonly StandingEvent[], reader: string): Mail {
  const of = (name: string) => events.filter(({ event }) => event === name);
  const [blocked, cleared, appeared] = [
    of(IMAGE_BLOCKED),
    of(IMAGE_CLEARED),
    of(VULNERABILITY_APPEARED),
  ];
  const parts = [
    blocked.length > 0 && `${blocked.length} blocked`,
    cleared.length > 0 && `${cleared.length} allowed again`,
    appeared.length > 0 && `${appeared.length} new vulnerabilities`,
  ].filter((part) => part !== false);
  const lines = [
    ...section('Blocked now:', blocked.map(blockedLine)),
    ...section('Allowed again:', cleared.map(standingLine)),
    ...section(
      'Found for the first time:',
      appeared.map((event) => appearedLine(event, reader)),
    ),
  ];
  return {
    subject: `[Portcullis] your images: ${parts.join(', ')}`,
    text: `${lines.join('\n').trimEnd()}\n`,
    messageId: `<${events[0]?.id ?? 'none'}.standings@portcullis>`,
    attachment: null,
  };
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${oneLine(line, 500)}`);
  const more = lines.length - shown.length;
  return [title, ...shown, ...(more > 0 ? [`  … and ${more} more`] : []), ''];
}

/** With its first tag, as commands take it, and the number of the others. */
function imageOf({ resource, detail }: StandingEvent): string {
  const [tag, ...others] = listIn(detail, 'tags').filter((each) => typeof each === 'string');
  const name = `${resource?.name ?? ''}${tag === undefined ? '' : `:${tag}`}`;
  const more = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `${name}@${resource?.id ?? ''}${more}`;
}

/** In the words and numbers of lists and commands. */
function standingLine(event: StandingEvent): string {
  const standing = standingIn(event.detail);
  return [imageOf(event), ...(standing === null ? [] : [standingText(standing)])].join(': ');
}

function blockedLine(event: StandingEvent): string {
  const { detail } = event;
  const policy = fieldOf(detail, 'policy');
  const rule = `policy ${typeof policy === 'string' ? policy : ''}`;
  const why = [rule, namedIn(detail)].filter((part) => part !== '').join(': ');
  const end = fieldOf(detail, 'grace_until');
  const until = typeof end === 'string' ? `, still served until ${end.slice(0, 16)}Z` : '';
  return `${standingLine(event)} (${why})${until}`;
}

/** The first vulnerabilities; empty where none blocks it. */
function namedIn(detail: StandingEvent['detail']): string {
  const named = listIn(detail, 'blocking').filter((id) => typeof id === 'string');
  const total = fieldOf(detail, 'blocking_total');
  const more = (typeof total === 'number' ? total : named.length) - MOST_NAMED;
  return [...named.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function appearedLine({ resource, detail }: StandingEvent, reader: string): string {
  const own = listIn(detail, 'owners').find((owner) => fieldOf(owner, 'id') === reader);
  const folders = listIn(own, 'folders').filter((name) => typeof name === 'string');
  const where = folders.length > 0 ? ` in ${folders.join(', ')}` : '';
  return `${resource?.name ?? ''} (${String(fieldOf(detail, 'severity') ?? '')})${where}`;
}

function listIn(from: unknown, name: string): unknown[] {
  const value = fieldOf(from, name);
  return Array.isArray(value) ? value : [];
}

function fieldOf(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}
