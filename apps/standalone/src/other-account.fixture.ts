/** For tests only: a program that runs as another account of the host. */
import { spawn } from 'node:child_process';

export interface Account {
  /** Omitted: our own account. */
  uid?: number;
  gid?: number;
  /**
   * A Node binary that this account can execute: that of a checkout below a closed home directory
   * is not.
   */
  node: string;
}

/** Runs a small program as another account. */
export function startAs({ node, ...account }: Account, code: string, args: string[]) {
  const child = spawn(node, ['-e', code, ...args], {
    ...account,
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { child, output: () => text };
}
