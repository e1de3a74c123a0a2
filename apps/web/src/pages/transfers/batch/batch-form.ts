/** What the form holds, and what of it goes to the server. */
import { LOCAL_REGISTRY_ID, type Severity } from '@portcullis/domain';
import type { RequestFor } from '../../../api/client.ts';
import { readReference } from '../../pull/reference.ts';

export const MATCHES = ['tag', 'glob', 'regex', 'semver'] as const;
export type Match = (typeof MATCHES)[number];
type ScanChoice = 'policy' | 'severities' | 'none';

/** A line of the batch: one image, or the tags of a repository that match. */
export interface Entry {
  key: number;
  repository: string;
  match: Match;
  /** The tag, or the pattern. */
  text: string;
  /** Of those that match, only so many. */
  newest: number | null;
  prerelease: boolean;
  /** Empty: the name stays. */
  destName: string;
}

export interface BatchForm {
  /** A saved registry or the built-in one; empty for Docker Hub. */
  from: string;
  to: string;
  /** Within the built-in registry; empty: none, null: to be chosen. */
  folder: string | null;
  destTag: string;
  platforms: string[];
  referrers: boolean;
  scan: ScanChoice;
  severities: Severity[];
  entries: Entry[];
}

/** A function where it goes on from what is there at that moment. */
export type BatchChange = Partial<BatchForm> | ((before: BatchForm) => Partial<BatchForm>);

export function changedBatch(before: BatchForm, change: BatchChange): BatchForm {
  return { ...before, ...(typeof change === 'function' ? change(before) : change) };
}

/** Null takes the line away; all others stay the very same. */
export function changedEntries(
  entries: Entry[],
  key: number,
  change: Partial<Entry> | null,
): Entry[] {
  if (change === null) return entries.filter((entry) => entry.key !== key);
  return entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
}

export type TransferBody = RequestFor<'transfers.transfer'>['body'];
type ImageBody = TransferBody['images'][number];

let made = 0;
export function newEntry(given: Partial<Entry> = {}): Entry {
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
    referrers: true,
    scan: 'policy',
    severities: ['CRITICAL', 'HIGH'],
    entries: [],
    ...given,
  };
}

/** One image on each line; `#` begins a remark. A tag with `*` is a pattern, one like `^1.2` a range of versions. */
export function readLines(text: string): Entry[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map(readLine);
}

function readLine(line: string): Entry {
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

export function isComplete({ entries, ...ends }: BatchForm): boolean {
  return (
    isPlaced(ends) &&
    filled(entries).length > 0 &&
    filled(entries).every(({ match, text }) => match === 'tag' || text !== '')
  );
}

export function isPlaced({ to, folder }: Pick<BatchForm, 'to' | 'folder'>): boolean {
  return to !== LOCAL_REGISTRY_ID || folder !== null;
}

/** Lines that were added and left empty aren't meant. */
export function filled(entries: Entry[]): Entry[] {
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
    include_referrers: form.referrers,
    ...(form.scan === 'none' && { vuln_scan_enabled_override: false }),
    ...(form.scan === 'severities' && { vuln_severities_override: form.severities }),
  };
}

function imageBody({ repository, match, text, newest, prerelease, destName }: Entry): ImageBody {
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

/** A saved schedule's batch, as the form shows it. */
export function batchOf(saved: TransferBody): BatchForm {
  const platforms = Array.isArray(saved.platforms) ? (saved.platforms as string[]) : [];
  const severities = saved.vuln_severities_override as Severity[] | undefined;
  return emptyBatch({
    from: textOf(saved.source_registry_id),
    to: textOf(saved.dest_registry_id) || LOCAL_REGISTRY_ID,
    folder: textOf(saved.dest_folder),
    destTag: textOf(saved.dest_tag),
    platforms,
    referrers: saved.include_referrers !== false,
    scan:
      saved.vuln_scan_enabled_override === false ? 'none' : severities ? 'severities' : 'policy',
    ...(severities && { severities }),
    entries: saved.images.map(entryOf),
  });
}

function entryOf({ repository, tag, tags, dest_name }: ImageBody): Entry {
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
