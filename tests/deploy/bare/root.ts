/**
 * Creates the bare root file system with mmdebstrap, once for each definition, with a clean clone
 * of HEAD.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, exists, type Program, run } from '@portcullis/embedded';
import { withLock } from '@portcullis/runtime';
import { temporaryDir, testCacheDir, testEnv } from '@portcullis/testing';
import {
  type Account,
  definitionHash,
  GO_CACHE,
  homeDirOf,
  ownAuthorities,
  PACKAGES,
  SUITE,
  UID,
} from './definition.ts';
import { asNamespaceRoot, enter, type RootDirs } from './enter.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
const BARE_DIR = path.join(testCacheDir, 'bare');

const MMDEBSTRAP: Program = {
  names: ['mmdebstrap'],
  package: 'mmdebstrap',
  file: 'usr/bin/mmdebstrap',
  probe: ['--version'],
};

export type Say = (text: string) => void;

/** Home directories and sources belong to one run at a time. */
export function alone(work: () => Promise<void>, say: Say): Promise<void> {
  const onWait = () => say('waiting for another run of this account');
  return withLock(path.join(testCacheDir, 'bare.lock'), work, { onWait });
}

/**
 * The root of the current definition; those of earlier definitions are deleted. `fresh` deletes
 * this one too, with all its caches.
 */
export async function bareRoot(options: { fresh: boolean; say: Say }): Promise<RootDirs> {
  const name = await definitionHash();
  await mkdir(BARE_DIR, { recursive: true });
  for (const each of await readdir(BARE_DIR)) {
    if (options.fresh || each !== name)
      await asNamespaceRoot('rm -rf "$1"', path.join(BARE_DIR, each));
  }
  const dir = path.join(BARE_DIR, name);
  const place = { root: path.join(dir, 'root'), state: path.join(dir, 'state') };
  if (await exists(place.root)) return place;
  await make(dir, place, options.say);
  await lendCompiled(place, options.say);
  return place;
}

/**
 * What Go compiled on this machine, of the same content and by the same version, is not compiled
 * again there. The files are linked; they stay those of this machine, and the folders become those
 * of the account. Sources and Go are still fetched.
 */
async function lendCompiled({ state }: RootDirs, say: Say): Promise<void> {
  const cache = await run('go', ['env', 'GOCACHE'], { env: testEnv }).catch(() => '');
  if (cache === '') return;
  const lend = [
    'code=0; cp --archive --link "$1/." "$2" || code=$?',
    'find "$2" -type d -exec chown "$3:$3" {} +; exit $code',
  ];
  const target = path.join(state, GO_CACHE);
  const lent = asNamespaceRoot(lend.join('\n'), cache.trim(), target, String(UID));
  await lent.catch((error: Error) =>
    say(`what Go compiled here is compiled again there: ${error.message}`),
  );
}

async function make(dir: string, { root, state }: RootDirs, say: Say): Promise<void> {
  say(`making a Debian ${SUITE} of ${PACKAGES.join(', ')} and nothing that these only recommend`);
  const draft = `${root}.draft`;
  await using temporary = await temporaryDir();
  const archive = path.join(temporary.path, 'root.tar');
  await debootstrap(archive, say);
  // Without the device files of the archive: only the real root may create them, and /dev is
  // mounted over.
  const unpack = [
    'rm -rf "$2"; mkdir -p "$2" "$3/home/user" "$3/root" "$3/tmp" "$3$5"',
    'tar --extract --file "$1" --directory "$2" --numeric-owner --exclude \'./dev/*\'',
    'touch "$2/etc/resolv.conf" "$2/etc/hosts"; chmod 1777 "$3/tmp"; chmod 700 "$3/root"',
    `chown ${UID}:${UID} "$3/home/user" "$3$5"`,
    'mv "$2" "$4"',
  ];
  await mkdir(dir, { recursive: true });
  await asNamespaceRoot(unpack.join('\n'), archive, draft, state, root, GO_CACHE);
}

async function debootstrap(archive: string, say: Say): Promise<void> {
  const mmdebstrap = await acquireBinary(MMDEBSTRAP, {
    cacheDir: testCacheDir,
    env: testEnv,
    log: say,
  });
  const authorities = (await ownAuthorities()).map(
    (file) => `--customize-hook=copy-in ${file} /usr/local/share/ca-certificates`,
  );
  const how = [
    `--mode=${process.getuid?.() === 0 ? 'root' : 'unshare'}`,
    '--variant=minbase',
    `--include=${PACKAGES.join(',')}`,
    '--dpkgopt=force-unsafe-io',
    ...authorities,
    '--customize-hook=chroot "$1" update-ca-certificates',
    `--customize-hook=chroot "$1" useradd --uid ${UID} --user-group --no-create-home --shell /bin/bash user`,
  ];
  await run(mmdebstrap.path, [...how, SUITE, archive], { env: { ...testEnv, ...mmdebstrap.env } });
}

/**
 * A clean clone; files of earlier runs outside the home directories are deleted. Returns its
 * directory within the root.
 */
export async function createClone(place: RootDirs, account: Account): Promise<string> {
  const bare = path.join(place.state, 'mnt', 'portcullis.git');
  await rm(bare, { recursive: true, force: true });
  await run('git', ['clone', '--quiet', '--bare', CHECKOUT, bare], { env: testEnv });
  const clone = `${homeDirOf(account)}/portcullis`;
  const steps = `rm -rf /var/lib/portcullis /tmp/* "$1"; git clone --quiet /mnt/portcullis.git "$1"; chown -R "$2:" "$1"`;
  const code = await enter(place, {
    account: 'root',
    command: ['sh', '-euc', steps, 'sh', clone, account],
  });
  if (code !== 0) throw new Error(`the clone in the bare root failed (exit status ${code})`);
  return clone;
}

export async function hasChanges(): Promise<boolean> {
  return (
    (await run('git', ['-C', CHECKOUT, 'status', '--porcelain'], { env: testEnv })).trim() !== ''
  );
}
