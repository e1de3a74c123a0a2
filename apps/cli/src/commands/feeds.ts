/** Imports threat feeds from files, for installations without a network. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Result } from '@portcullis/command';
import {
  type AuditEvent,
  FEED_KINDS,
  isStale,
  MAX_FEED_BYTES,
  type ParsedFeed,
  readAtOf,
} from '@portcullis/domain';
import { conflict, invalid, tooLarge } from '@portcullis/errors';
import { readFeedFile, type Store, type ThreatFeedState } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { changeEvent, notifyProcesses, withStore } from '../connections.ts';

const IMPORT = 'import';
const STATUS = 'status';

export const feeds: Command = {
  name: 'feeds',
  words: ['<import|status>', '[file]', '[file]'],
  summary: 'take the feeds of exploited vulnerabilities (KEV, EPSS) from files, or show their age',
  help: [
    '`feeds import <file> [file]` takes known_exploited_vulnerabilities.json of CISA, and epss_scores-current.csv.gz of',
    'EPSS, packed or not. The content says which feed a file is. An older file than the one that is kept is refused.',
    'Running processes use them within a second. `feeds status` shows version, age and source of both.',
  ],
  options: {},
  services: ['postgres', 'redis'],
  async run(call) {
    const [action, ...files] = call.words;
    if (action === STATUS && files.length === 0) return status(call);
    if (action === IMPORT && files.length > 0) return importAll(call, files);
    throw invalid(
      'USAGE',
      'usage: portcullis feeds import <file> [file], or portcullis feeds status',
    );
  },
};

interface Imported {
  feed: ParsedFeed;
  isChanged: boolean;
}

/** All files are read before anything is changed. */
async function importAll(call: CommandCall, files: readonly string[]): Promise<Result> {
  const parsed: ParsedFeed[] = [];
  for (const file of files)
    parsed.push(await readFeedFile(await bytesOf(path.resolve(call.config.cwd, file)), new Date()));
  const imported = await withStore(call, async (store) => {
    const results: Imported[] = [];
    for (const feed of parsed) results.push(await importOne(store, feed));
    return results;
  });
  const warnings = await notifyProcesses(call, { change: 'settings' });
  return {
    lines: [...imported.map(lineOf), ...warnings],
    facts: { imported: imported.map(factsOf), warnings },
  };
}

async function importOne(store: Store, feed: ParsedFeed): Promise<Imported> {
  const read = { source: IMPORT, validator: null, at: new Date() };
  const before = (await store.feeds.list()).find(({ kind }) => kind === feed.kind);
  const result = await store.feeds.replace(feed, read, importedEvent(feed, before));
  if (result === 'older')
    throw conflict('FEED_OLDER', `the file of ${feed.kind} is older than the one that is kept`);
  return { feed, isChanged: result === 'replaced' };
}

function importedEvent(
  { kind, version, publishedAt, entries }: ParsedFeed,
  before: ThreatFeedState | undefined,
): AuditEvent {
  return changeEvent({
    event: 'feeds.imported',
    action: 'feeds import',
    resource: { kind: 'feed', id: null, name: kind },
    detail: {
      source: IMPORT,
      version,
      published_at: publishedAt.toISOString(),
      entries: entries.size,
      entries_before: before?.content?.entries ?? 0,
    },
  });
}

async function bytesOf(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  if (size > MAX_FEED_BYTES) throw tooLarge('FEED_TOO_LARGE', `${file} has ${size} bytes`);
  return handle.readFile();
}

function lineOf({ feed: { kind, version, entries }, isChanged }: Imported): string {
  const done = isChanged ? 'imported' : 'unchanged';
  return `${kind} ${version}: ${done}, ${entries.size} entries`;
}

function factsOf({ feed: { kind, version, entries, publishedAt }, isChanged }: Imported) {
  return {
    kind,
    version,
    published_at: publishedAt.toISOString(),
    entries: entries.size,
    changed: isChanged,
  };
}

async function status(call: CommandCall): Promise<Result> {
  const states = await withStore(call, ({ feeds: kept }) => kept.list());
  const now = new Date();
  const shown = FEED_KINDS.map((kind) => {
    const state = states.find((each) => each.kind === kind) ?? null;
    return { kind, state, readAt: state?.content ? readAtOf({ kind, ...state.content }) : null };
  });
  return {
    lines: shown.flatMap((each) => statusLines(each, now)),
    facts: {
      feeds: shown.map(({ kind, state, readAt }) => ({
        kind,
        source: state?.source ?? null,
        version: state?.content?.version ?? null,
        published_at: state?.content?.publishedAt.toISOString() ?? null,
        checked_at: state?.content?.checkedAt.toISOString() ?? null,
        read_at: readAt?.toISOString() ?? null,
        entries: state?.content?.entries ?? 0,
        stale: isStale(readAt && { readAt }, now),
        error: state?.failure ? { code: state.failure.code, message: state.failure.message } : null,
      })),
    },
  };
}

interface Shown {
  kind: string;
  state: ThreatFeedState | null;
  readAt: Date | null;
}

function statusLines({ kind, state, readAt }: Shown, now: Date): string[] {
  const { content = null, failure = null } = state ?? {};
  const age = readAt ? ((now.getTime() - readAt.getTime()) / 86_400_000).toFixed(1) : '';
  const stale = isStale(readAt && { readAt }, now) ? ', stale' : '';
  const line = content
    ? `${kind} ${content.version}: ${content.entries} entries, ${age} days old${stale}, from ${state?.source}`
    : `${kind}: never read`;
  if (failure === null) return [line];
  return [
    line,
    `  ${failure.at.toISOString()} ${failure.source}: ${failure.message} (${failure.code})`,
  ];
}
