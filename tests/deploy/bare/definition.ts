/** The contents of the bare Debian root file system. Each definition has a separate root. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const SUITE = 'bookworm';
/** The requirements of README.md, with git and certificate authorities for the clone. */
export const PACKAGES: readonly string[] = ['nodejs', 'npm', 'git', 'ca-certificates'];

export const ACCOUNTS = ['user', 'root'] as const;
export type Account = (typeof ACCOUNTS)[number];

export const homeDirOf = (account: Account): string =>
  account === 'root' ? '/root' : `/home/${account}`;
export const UID = 1000;

/** Of what Go compiles: beside the sources, where no run deletes it. */
export const GO_CACHE = '/mnt/go-build';

const AUTHORITIES = '/usr/local/share/ca-certificates';

/** Certificate authorities of this machine: its proxy to the registries may use one. */
export async function ownAuthorities(): Promise<string[]> {
  const names = await readdir(AUTHORITIES).catch(() => []);
  return names.filter((name) => name.endsWith('.crt')).map((name) => path.join(AUTHORITIES, name));
}

export async function definitionHash(): Promise<string> {
  const hash = createHash('sha256').update(
    JSON.stringify([process.arch, SUITE, PACKAGES, UID, GO_CACHE]),
  );
  for (const file of await ownAuthorities()) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

/**
 * The environment variables with which this machine reaches registries; no others are passed on.
 */
const LENT = /^(https?_proxy|no_proxy|all_proxy|NODE_EXTRA_CA_CERTS|GOPROXY|GOSUMDB|GONOSUMDB)$/i;

export function environmentOf(account: Account, env: NodeJS.ProcessEnv): Record<string, string> {
  const lent = Object.entries(env).filter(([name]) => LENT.test(name));
  const system = account === 'root' ? '/usr/local/sbin:/usr/sbin:/sbin:' : '';
  return {
    ...Object.fromEntries(lent.map(([name, value]) => [name, value ?? ''])),
    HOME: homeDirOf(account),
    USER: account,
    LOGNAME: account,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: env.TERM ?? 'dumb',
    GOCACHE: GO_CACHE,
    PATH: `${system}/usr/local/bin:/usr/bin:/bin`,
  };
}
