/**
 * Runs commands in the bare root with mount and process namespaces and chroot, without a container
 * engine. As root directly; as an ordinary user in a user namespace, which requires subordinate id
 * ranges of the account.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import { testEnv } from '@portcullis/testing';
import { type Account, environmentOf, homeDirOf, UID } from './definition.ts';

const SCRIPT = path.join(import.meta.dirname, 'enter.sh');

const isRoot = process.getuid?.() === 0;
const OWN_USERS = isRoot ? [] : ['--user', '--map-root-user', '--map-auto'];
/** `--kill-child`: no process in the root outlives us. */
const SPACES = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];

export interface RootDirs {
  root: string;
  /** Mounted over the root's own directories: home directories, /tmp and the sources. */
  state: string;
}

export interface Entered {
  account: Account;
  command: readonly string[];
  /** A path within the root; by default the account's home directory. */
  cwd?: string;
}

/** Runs as root of the namespace. @throws unavailable `TOOL_FAILED` */
export function asNamespaceRoot(script: string, ...args: string[]): Promise<string> {
  return run('unshare', [...OWN_USERS, ...SPACES, 'sh', '-euc', script, 'sh', ...args], {
    env: testEnv,
  });
}

const ADVICE = isRoot
  ? 'as root it needs CAP_SYS_ADMIN, which a container without --privileged lacks'
  : 'an ordinary user needs newuidmap (the package uidmap), a range in /etc/subuid and /etc/subgid, and a kernel that allows user name spaces';

/** Null, or why the root can't be entered on this machine. */
export async function unavailableReason(): Promise<string | null> {
  try {
    await asNamespaceRoot('mount -t tmpfs tmpfs /mnt');
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').at(-1) : String(error);
    return `a bare root can't be entered on this machine: ${ADVICE} (${reason})`;
  }
}

/** Runs on our terminal and returns the exit code. */
export function enter(
  { root, state }: RootDirs,
  { account, command, cwd }: Entered,
): Promise<number> {
  const env = environmentOf(account, testEnv);
  const clean = ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const there = [
    'sh',
    '-c',
    'cd "$1" && shift && exec "$@"',
    'sh',
    cwd ?? homeDirOf(account),
    ...command,
  ];
  const uid = String(account === 'root' ? 0 : UID);
  const args = [...OWN_USERS, ...SPACES, 'sh', SCRIPT, root, state, uid, ...clean, ...there];
  const child = spawn('unshare', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  // unshare ignores SIGTERM; when it ends, everything in the root ends. Ctrl-C reaches the
  // processes in the root directly.
  const end = () => child.kill('SIGKILL');
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  }).finally(() => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
  });
}
