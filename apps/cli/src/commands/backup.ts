/** Writes a backup of the database and of the built-in registry while both are used. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { Result } from '@portcullis/command';
import { invalid } from '@portcullis/errors';
import { createWriteLock } from '@portcullis/local-registry';
import { hasCode, keyIdFor, loadSecretKey } from '@portcullis/runtime';
import { type Dump, withDump } from '@portcullis/store';
import { type ArchiveWriter, writeArchive } from '../archive/archive-writer.ts';
import { auditBacklog } from '../archive/audit-backlog.ts';
import { type BackupManifest, ENTRIES, FORMAT } from '../archive/manifest.ts';
import { type SealedKey, sealKey } from '../archive/sealed-key.ts';
import { writeStaging } from '../archive/staged-images.ts';
import { storageFiles } from '../archive/storage-files.ts';
import { copiedFiles } from '../archive/whole-images.ts';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, withRedisServer, withStore } from '../connections.ts';
import { registryStorage } from '../registry-storage.ts';

export const backup: Command = {
  name: 'backup',
  words: ['<file>'],
  summary: 'write accounts, settings, history and images to one file',
  help: [
    'A tar file with checksums: the database with all settings, and the images of the built-in registry. With "-" it goes',
    'to standard output. Portcullis may run meanwhile; what is pushed after the start may not be in it. Garbage is not',
    'collected until it is done. The exit status is 1 if a part of an image is missing.',
    '',
    'Stored secrets are in it, encrypted: they cannot be read without the secret key. With --with-key it has the key, too,',
    'under a pass phrase that is prompted for (or read from standard input). Otherwise keep DATA_DIR/secret.key or',
    'SECRET_KEY elsewhere. Staged images are not in it without --with-staging; pull them again.',
  ],
  options: {
    'with-key': { type: 'boolean', help: 'include the secret key, under a pass phrase' },
    'with-staging': { type: 'boolean', help: 'include the staged images' },
    'without-images': { type: 'boolean', help: 'leave out the images of the registry' },
  },
  async run(call) {
    const [given = ''] = call.words;
    if (given !== '-') return toFile(call, path.resolve(call.config.cwd, given));
    if (call.output.isTTY)
      throw invalid('NOT_TO_A_TERMINAL', 'standard output is a terminal: redirect it');
    const made = await writeBackup(call, call.output);
    return { ...(await report(call, made, 'standard output')), quiet: true };
  },
};

interface Made {
  rows: number;
  files: number;
  staged: number;
  /** Manifests with missing content. */
  broken: string[];
  warnings: string[];
}

/** Renamed to its final name when it is complete. */
async function toFile(call: CommandCall, file: string): Promise<Result> {
  const draft = `${file}.part`;
  try {
    const handle = await openDraft(draft);
    const made = await writeBackup(call, handle.createWriteStream({ flush: true }));
    await rename(draft, file);
    return await report(call, made, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * A new file: what is there may be a link, or another account's, or readable by others.
 * @throws invalid `FOLDER_MISSING`
 */
async function openDraft(draft: string): Promise<FileHandle> {
  try {
    await rm(draft, { force: true });
    return await open(draft, 'wx', 0o600);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw invalid(
      'FOLDER_MISSING',
      `the folder ${path.dirname(draft)} does not exist; create it first`,
    );
  }
}

async function report(
  call: CommandCall,
  { rows, files, staged, broken, warnings: early }: Made,
  to: string,
): Promise<Result> {
  const facts = { file: to, rows, files, staged_files: staged, broken_manifests: broken };
  const resource = { kind: 'backup', id: null, name: to };
  const detail = { ...facts, with_key: call.flag('with-key') };
  const late = await announceChange(call, {
    event: 'system.backup',
    action: 'backup',
    resource,
    detail,
  });
  const warnings = [...early, ...late];
  const lacking = `${broken.length} manifest(s) lack a part, for example ${broken[0]}: it was deleted meanwhile, or is damaged. Run the backup again: a part that is still missing is damaged.`;
  return {
    lines: [
      `${rows} rows and ${files} files of images are in ${to}.`,
      ...(broken.length > 0 ? [lacking] : []),
      ...warnings,
    ],
    facts: { ...facts, warnings },
    exitCode: broken.length > 0 ? 1 : 0,
  };
}

/** Referrers before what they reference: the database names images, images name blobs. */
async function writeBackup(call: CommandCall, to: Writable): Promise<Made> {
  const storage = call.flag('without-images') ? null : registryStorage(call.config);
  const key = call.flag('with-key') ? await keyUnderPhrase(call) : null;
  const sealedWith = await withStore(call, (store) => store.secrets.keyIds());
  const made: Made = { rows: 0, files: 0, staged: 0, broken: [], warnings: [] };
  // Before the database is read: an event archived meanwhile is in one of the two, or in both.
  const audit = await auditBacklog(call);
  await withDump(await call.surroundings.url('postgres'), (dump) =>
    writeArchive(to, async (archive) => {
      await archive.json(ENTRIES.manifest, manifestOf(call, { dump, sealedWith, storage, key }));
      if (key) await archive.json(ENTRIES.key, key);
      made.rows = await writeTables(archive, dump);
      made.warnings = await audit.write(archive);
      if (call.flag('with-staging')) made.staged = await writeStaging(archive, call.config.dataDir);
      if (storage !== null)
        Object.assign(
          made,
          await uncollected(call, () => writeImages(archive, storage, call.terminal.note)),
        );
    }),
  );
  return made;
}

/** Holds the lock as a writer does: a collection waits for it, and gives up before it begins. */
async function uncollected<T>(call: CommandCall, work: () => Promise<T>): Promise<T> {
  // A stopped installation with embedded services runs no garbage collection.
  if (call.surroundings.supervised === false && call.config.redisUrl === undefined) return work();
  return withRedisServer(call, (redis) => createWriteLock(redis).write(work));
}

interface Parts {
  dump: Dump;
  sealedWith: Record<string, number>;
  storage: string | null;
  key: SealedKey | null;
}

function manifestOf(call: CommandCall, { dump, sealedWith, storage, key }: Parts): BackupManifest {
  return {
    format: FORMAT,
    product: 'portcullis',
    version: call.config.version,
    createdAt: new Date().toISOString(),
    migrations: dump.migrations,
    sealedWith,
    images: storage !== null,
    key: key !== null,
    staging: call.flag('with-staging'),
  };
}

async function keyUnderPhrase({ config, terminal }: CommandCall): Promise<SealedKey> {
  const key = await loadSecretKey({ secretKey: config.secretKey, dataDir: config.dataDir });
  terminal.note(`the secret key ${keyIdFor(key)} goes into the backup`);
  const phrase = await terminal.secret('Pass phrase for the key');
  if (terminal.interactive && (await terminal.secret('The same again')) !== phrase)
    throw invalid('PASS_PHRASE_INVALID', 'the two are not the same');
  return sealKey(key, phrase);
}

async function writeTables(archive: ArchiveWriter, { tables }: Dump): Promise<number> {
  let rows = 0;
  for (const { name, lines } of tables)
    rows += (await archive.lines(`${ENTRIES.database}${name}.jsonl`, lines)) - 1; // the first line is not a row
  return rows;
}

const NOTE_EVERY = 5_000;

async function writeImages(
  archive: ArchiveWriter,
  storage: string,
  note: (text: string) => void,
): Promise<Pick<Made, 'files' | 'broken'>> {
  const copied = copiedFiles();
  let files = 0;
  for await (const file of storageFiles(storage)) {
    if (!(await archive.file(ENTRIES.registry + file, path.join(storage, file)))) continue;
    copied.add(`/${file}`);
    if (++files % NOTE_EVERY === 0) note(`${files} files`);
  }
  return { files, broken: await copied.broken(storage) };
}
