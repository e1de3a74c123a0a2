/** Restores a backup: it is unpacked whole before anything is replaced. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { conflict, invalid } from '@portcullis/errors';
import type { AuditEvent } from '@portcullis/events';
import { installSecretKey, keyIdFor, loadSecretKey } from '@portcullis/runtime';
import {
  assertKnownMigrations,
  type DumpedTable,
  hasAccounts,
  markRestore,
  restoreDump,
  unfinishedRestore,
  unmarkRestore,
} from '@portcullis/store';
import { type ArchiveEntry, damaged, readArchive, textOf } from '../archive/archive-reader.ts';
import { BackupManifest, ENTRIES, StagedLinks } from '../archive/manifest.ts';
import {
  abandonReplacement,
  beginReplacement,
  commitReplacement,
  contentsOf,
} from '../archive/replaced-contents.ts';
import { openKey, SealedKey } from '../archive/sealed-key.ts';
import { linkStaged, placeStaging } from '../archive/staged-images.ts';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';
import { registryStorage } from '../registry-storage.ts';
import { assertStopped } from '../running.ts';

export const restore: Command = {
  name: 'restore',
  words: ['<file>'],
  summary: 'restore a backup, on this machine or another',
  help: [
    'Stop Portcullis first. The whole file is read and checked before anything is replaced; with "-" it comes from',
    'standard input. A target with accounts or images is refused without --force, which replaces them. After an',
    'interrupted restore Portcullis does not start: run it again with the same file, without --force. A backup of an',
    'older release is migrated; one of a newer release is refused.',
    '',
    'If the backup has the secret key, its pass phrase is prompted for (or read from standard input, unless the backup',
    'comes from there: then use --without-key).',
  ],
  options: {
    force: { type: 'boolean', help: 'replace existing accounts and images' },
    'without-key': {
      type: 'boolean',
      help: 'ignore the key in the backup and use the present one',
    },
  },
  async run(call) {
    await assertStopped(call);
    const drafts = path.join(call.config.dataDir, 'restoring');
    await rm(drafts, { recursive: true, force: true });
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    const from = source(call);
    try {
      const unpacked = await unpack(call, from, drafts);
      return await putInPlace(call, unpacked);
    } finally {
      from.destroy();
      await rm(drafts, { recursive: true, force: true });
    }
  },
};

function source({ words, config, input }: CommandCall): Readable {
  const [given = ''] = words;
  return given === '-' ? input : createReadStream(path.resolve(config.cwd, given));
}

interface Unpacked {
  manifest: BackupManifest;
  key: Buffer | null;
  /** Files of JSON lines, in the order in which they must be loaded. */
  tables: { name: string; file: string }[];
  /** The registry's storage, and the draft inside it; null where the backup has no images. */
  images: { draft: string; storage: string } | null;
  /** A file of JSON lines. */
  audit: string | null;
  staged: { draft: string; links: StagedLinks } | null;
}

async function unpack(call: CommandCall, from: Readable, drafts: string): Promise<Unpacked> {
  let unpacked: Unpacked | null = null;
  try {
    for await (const entry of readArchive(from)) {
      unpacked ??= await begin(call, entry);
      await take(call, entry, { unpacked, drafts });
    }
    await assertStopped(call); // reading takes long: a process may have been started meanwhile
  } catch (error) {
    if (unpacked?.images) await abandonReplacement(unpacked.images.storage);
    throw error;
  }
  if (unpacked === null) throw damaged('it is empty');
  return unpacked;
}

async function take(
  call: CommandCall,
  entry: ArchiveEntry,
  { unpacked, drafts }: { unpacked: Unpacked; drafts: string },
): Promise<void> {
  const { name, content } = entry;
  const staged = path.join(drafts, 'staging');
  if (name === ENTRIES.key) unpacked.key = await keyOf(call, entry);
  else if (name === ENTRIES.audit) unpacked.audit = await write(content, path.join(drafts, name));
  else if (name === ENTRIES.stagedLinks) {
    const links = linksOf(await textOf(content));
    await linkStaged(staged, links);
    unpacked.staged = { draft: staged, links };
  } else if (name.startsWith(ENTRIES.database)) await spool(entry, drafts, unpacked);
  else if (name.startsWith(ENTRIES.registry)) await placeFile(entry, unpacked);
  else if (name.startsWith(ENTRIES.stagedFiles) || name.startsWith(ENTRIES.stagedBlobs))
    await write(content, path.join(drafts, name));
}

/** The first entry decides whether to continue. */
async function begin(call: CommandCall, { name, content }: ArchiveEntry): Promise<Unpacked> {
  const parsed = BackupManifest.safeParse(
    name === ENTRIES.manifest ? parseJson(await textOf(content)) : null,
  );
  if (!parsed.success) throw damaged('it does not begin with the manifest of a Portcullis backup');
  const manifest = parsed.data;
  await assertKnownMigrations(manifest.migrations);
  const storage = manifest.images ? registryStorage(call.config) : null;
  if (!call.flag('force')) await assertReplaceable(call, manifest, storage);
  const images = storage === null ? null : { storage, draft: await beginReplacement(storage) };
  return { manifest, key: null, tables: [], images, audit: null, staged: null };
}

/** The target is empty, or has what an interrupted restore of the same backup wrote. */
async function assertReplaceable(
  call: CommandCall,
  { createdAt }: BackupManifest,
  storage: string | null,
): Promise<void> {
  const database = await call.surroundings.url('postgres');
  if ((await unfinishedRestore(database)) === createdAt) return;
  const used = await hasAccounts(database);
  const filled = storage !== null && (await contentsOf(storage)).length > 0;
  if (!used && !filled) return;
  const what = used ? 'the database has accounts' : `${storage} is not empty`;
  throw conflict('NOT_EMPTY', `${what}; --force replaces what is there`);
}

async function keyOf(
  { words, flag, terminal }: CommandCall,
  { content }: ArchiveEntry,
): Promise<Buffer | null> {
  const text = await textOf(content);
  if (flag('without-key')) return null;
  if (words[0] === '-')
    throw invalid('PASS_PHRASE_MISSING', 'read it from a file, or add --without-key');
  const parsed = SealedKey.safeParse(parseJson(text));
  if (!parsed.success) throw damaged('its key has an unknown format');
  return openKey(parsed.data, await terminal.secret('Pass phrase of the key'));
}

function linksOf(text: string): StagedLinks {
  const parsed = StagedLinks.safeParse(parseJson(text));
  if (!parsed.success) throw damaged('its list of staged images is invalid');
  return parsed.data;
}

async function spool(
  { name, content }: ArchiveEntry,
  drafts: string,
  { tables }: Unpacked,
): Promise<void> {
  const file = path.join(drafts, `${tables.length}.jsonl`);
  tables.push({ name: path.basename(name, '.jsonl'), file });
  await pipeline(content, createWriteStream(file, { mode: 0o600 }));
}

async function placeFile({ name, content }: ArchiveEntry, { images }: Unpacked): Promise<void> {
  if (images === null) throw damaged('it contains images, which its manifest denies');
  await write(content, path.join(images.draft, name.slice(ENTRIES.registry.length)));
}

async function write(content: ArchiveEntry['content'], file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(file, { mode: 0o600 }));
  return file;
}

/**
 * Everything is loaded before anything is replaced. From the first replacement to the end the
 * database is marked, so that no process starts on images and rows of different installations.
 */
async function putInPlace(call: CommandCall, unpacked: Unpacked) {
  const { manifest, key, tables, images, audit, staged } = unpacked;
  const database = await call.surroundings.url('postgres');
  const advice: string[] = [];
  let intact = true;
  const replace = async () => {
    await assertStopped(call);
    await markRestore(database, manifest.createdAt);
    intact = false;
    if (images) await commitReplacement(images.storage);
    if (staged) await placeStaging(staged.draft, staged.links, call.config.dataDir);
    advice.push(...(await settleKey(call, manifest, key)));
  };
  const dump = { migrations: manifest.migrations, tables: readTables(tables) };
  try {
    await restoreDump(database, { ...dump, beforeCommit: replace });
  } catch (error) {
    if (intact && images) await abandonReplacement(images.storage);
    throw error;
  }
  if (audit !== null) await archiveEvents(call, audit);
  await unmarkRestore(database);
  if (images && call.config.registryUrl !== undefined)
    advice.push('Restart the registry: it caches what it had before.');
  const has = { images: images !== null, key: key !== null, staging: staged !== null };
  const facts = { created_at: manifest.createdAt, ...has };
  const warnings = await announceChange(call, {
    event: 'system.restore',
    action: 'restore',
    detail: facts,
  });
  return {
    lines: [
      `The backup of ${manifest.createdAt} is in place; start Portcullis.`,
      ...advice,
      ...warnings,
    ],
    facts: { ...facts, advice, warnings },
  };
}

/** Advice for people on how to make the stored secrets readable. */
async function settleKey(
  { config }: CommandCall,
  manifest: BackupManifest,
  key: Buffer | null,
): Promise<string[]> {
  const { secretKey, dataDir } = config;
  if (key !== null && secretKey === undefined) await installSecretKey(dataDir, key);
  const present = keyIdFor(await loadSecretKey({ secretKey, dataDir }));
  const others = Object.entries(manifest.sealedWith).filter(([id]) => id !== present);
  return others.map(
    ([id, count]) =>
      `${count} stored secret(s) are sealed with the key ${id}, here is ${present}: put that key in place, or enter them again.`,
  );
}

const EVENTS_AT_ONCE = 500;

async function archiveEvents(call: CommandCall, file: string): Promise<void> {
  await withStore(call, async (store) => {
    const events: AuditEvent[] = [];
    for await (const line of linesOf(file)) {
      events.push(JSON.parse(line));
      if (events.length >= EVENTS_AT_ONCE) await store.audit.insert(events.splice(0));
    }
    await store.audit.insert(events);
  });
}

async function* readTables(tables: Unpacked['tables']): AsyncGenerator<DumpedTable> {
  for (const { name, file } of tables) yield { name, lines: linesOf(file) };
}

/**
 * Splits at line feeds only: `readline` also splits at characters that may occur within a JSON
 * text.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged('an entry is not valid JSON', cause);
  }
}
