/** The state of the transfer form and the request made of it. */
import { LOCAL_REGISTRY_ID, type Severity } from '@portcullis/domain';
import type { RequestFor } from '../../../api/client.ts';
import { alike } from '../../../kit/form/alike.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { readReference } from '../../pull/reference.ts';
import { type ReferrerWord, referrerChoice, referrerWord } from '../../pull/referrer-words.ts';

type Match = 'tag' | 'glob' | 'regex' | 'semver';
type ScanChoice = 'policy' | 'severities' | 'none';

/** A line of the form: an image, or a repository with a tag pattern. */
export interface BatchEntry {
  key: number;
  repository: string;
  match: Match;
  /** The tag, or the pattern. */
  text: string;
  /** The number of matching tags to copy. */
  newest: number | null;
  prerelease: boolean;
  /** Empty: unchanged. */
  destName: string;
}

export interface BatchForm {
  /** The id of a registry; empty for Docker Hub. */
  from: string;
  to: string;
  /** In the built-in registry. Empty: none; null: not chosen yet. */
  folder: string | null;
  destTag: string;
  platforms: string[];
  referrers: ReferrerWord;
  scan: ScanChoice;
  severities: Severity[];
  /** Whether blocked images pass by the privilege of the account, and why. */
  passBlocked: boolean;
  bypassReason: string;
  entries: BatchEntry[];
}

/** A function computes the change from the current form. */
export type BatchChange = Partial<BatchForm> | ((before: BatchForm) => Partial<BatchForm>);

export function changedBatch(before: BatchForm, change: BatchChange): BatchForm {
  return { ...before, ...(typeof change === 'function' ? change(before) : change) };
}

/** Null removes the line; other lines keep their identity. */
export function changedEntries(
  entries: BatchEntry[],
  key: number,
  change: Partial<BatchEntry> | null,
): BatchEntry[] {
  if (change === null) return entries.filter((entry) => entry.key !== key);
  return entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
}

export type TransferBody = RequestFor<'transfers.transfer'>['body'];
type ImageBody = TransferBody['images'][number];

let made = 0;
export function newEntry(given: Partial<BatchEntry> = {}): BatchEntry {
  return {
    key: ++made,
    repository: '',
    match: 'tag',
    text: '',
    newest: null,
    prerelease: false,
    destName: '',
    ...given,
  };
}

export function emptyBatch(given: Partial<BatchForm> = {}): BatchForm {
  return {
    from: '',
    to: LOCAL_REGISTRY_ID,
    folder: '',
    destTag: '',
    platforms: [],
    referrers: 'optional',
    scan: 'policy',
    severities: ['CRITICAL', 'HIGH'],
    passBlocked: false,
    bypassReason: '',
    entries: [],
    ...given,
  };
}

/** The form of a draft that an earlier page stored. */
export function restoredBatch(stored: unknown, first: BatchForm): BatchForm {
  const batch = alike(stored, first);
  const entries = batch.entries.map((entry) => {
    const own = newEntry();
    return { ...alike(entry, own), key: own.key };
  });
  return { ...batch, entries };
}

/** One image per line; `#` starts a comment. `*` makes a glob, `^1.2` a version range. */
export function readLines(text: string): BatchEntry[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map(readLine);
}

function readLine(line: string): BatchEntry {
  const range = /^(\S+?):([\^~<>=].*)$/.exec(line);
  if (range)
    return newEntry({ repository: named(range[1] ?? ''), match: 'semver', text: range[2] ?? '' });
  const { image, tag } = readReference(line);
  const match = tag !== null && /[*?{[]/.test(tag) ? 'glob' : 'tag';
  return newEntry({ repository: image, match, text: tag ?? '' });
}

function named(text: string): string {
  return readReference(text).image;
}

export function isComplete({ entries, passBlocked, bypassReason, ...ends }: BatchForm): boolean {
  return (
    hasDestination(ends) &&
    (!passBlocked || bypassReason.trim() !== '') &&
    filled(entries).length > 0 &&
    filled(entries).every(({ match, text }) => match === 'tag' || text !== '')
  );
}

export function hasDestination({ to, folder }: Pick<BatchForm, 'to' | 'folder'>): boolean {
  return to !== LOCAL_REGISTRY_ID || folder !== null;
}

/** Without empty lines. */
export function filled(entries: BatchEntry[]): BatchEntry[] {
  return entries.filter(({ repository }) => repository.trim() !== '');
}

export function batchBody(form: BatchForm): TransferBody {
  return {
    images: filled(form.entries).map(imageBody),
    source_registry_id: form.from || undefined,
    dest_registry_id: form.to,
    dest_folder: form.to === LOCAL_REGISTRY_ID ? form.folder || undefined : undefined,
    dest_tag: form.destTag.trim() || undefined,
    platforms: form.platforms.length === 0 ? 'all' : form.platforms,
    include_referrers: referrerChoice(form.referrers),
    bypass_gate: form.passBlocked,
    bypass_reason: form.passBlocked ? form.bypassReason.trim() : undefined,
    ...(form.scan === 'none' && { vuln_scan_enabled_override: false }),
    ...(form.scan === 'severities' && { vuln_severities_override: form.severities }),
  };
}

function imageBody({
  repository,
  match,
  text,
  newest,
  prerelease,
  destName,
}: BatchEntry): ImageBody {
  const which = text.trim();
  const common = { repository: repository.trim(), dest_name: destName.trim() || undefined };
  if (match === 'tag') return { ...common, tag: which || undefined };
  const pattern =
    match === 'semver'
      ? { semver: which, prerelease }
      : match === 'glob'
        ? { glob: which }
        : { regex: which };
  return { ...common, tags: { match: pattern, newest: newest ?? undefined } };
}

export function batchOf(saved: TransferBody): BatchForm {
  const platforms = Array.isArray(saved.platforms) ? (saved.platforms as string[]) : [];
  const severities = saved.vuln_severities_override as Severity[] | undefined;
  return emptyBatch({
    from: textOf(saved.source_registry_id),
    to: textOf(saved.dest_registry_id) || LOCAL_REGISTRY_ID,
    folder: textOf(saved.dest_folder),
    destTag: textOf(saved.dest_tag),
    platforms,
    referrers: referrerWord(saved.include_referrers),
    scan:
      saved.vuln_scan_enabled_override === false ? 'none' : severities ? 'severities' : 'policy',
    ...(severities && { severities }),
    passBlocked: saved.bypass_gate !== false && textOf(saved.bypass_reason) !== '',
    bypassReason: textOf(saved.bypass_reason),
    entries: saved.images.map(entryOf),
  });
}

function entryOf({ repository, tag, tags, dest_name }: ImageBody): BatchEntry {
  const common = { repository, destName: textOf(dest_name) };
  const selection = tags as Selection | null | undefined;
  if (!selection) return newEntry({ ...common, text: textOf(tag) });
  const [match, text] = patternOf(selection.match);
  return newEntry({
    ...common,
    match,
    text,
    newest: selection.newest ?? null,
    prerelease: 'prerelease' in selection.match && selection.match.prerelease === true,
  });
}

interface Selection {
  match: { glob: string } | { regex: string } | { semver: string; prerelease?: boolean };
  newest?: number | null;
}

function patternOf(match: Selection['match']): [Match, string] {
  if ('glob' in match) return ['glob', match.glob];
  return 'regex' in match ? ['regex', match.regex] : ['semver', match.semver];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export interface BatchFieldsProps extends Fields<BatchForm> {
  /** Must be stable: unchanged lines are not rendered again. */
  onBatch(change: BatchChange): void;
}
