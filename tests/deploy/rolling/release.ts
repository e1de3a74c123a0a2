/** An earlier release in a separate directory, with its Node and its dependencies. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

const BASELINE = 'prisma/migrations/20261128000000_init/migration.sql';

/** The first commit with the tables of 0.1.0 as they are now: they change until it is released. */
export async function firstCommit(): Promise<string> {
  const { stdout } = await run('git', ['-C', ROOT, 'log', '-1', '--format=%H', '--', BASELINE]);
  return stdout.trim();
}

/**
 * Writes the tree of a commit to `dir` and installs its dependencies. @throws Error when this clone
 * lacks the commit
 */
export async function checkOutRelease(commit: string, dir: string): Promise<void> {
  await run('git', ['-C', ROOT, 'cat-file', '-e', `${commit}^{commit}`]).catch(() => {
    throw new Error(
      `this clone has no commit ${commit}: run "git fetch --unshallow", or name another with --from`,
    );
  });
  const archive = path.join(dir, 'release.tar');
  await run('git', ['-C', ROOT, 'archive', '--output', archive, commit]);
  await run('tar', ['--extract', '--file', archive, '--directory', dir]);
  // Every command prepares its checkout first; this one does nothing else.
  await run(process.execPath, ['scripts/run.mjs', 'portcullis', 'help'], {
    cwd: dir,
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The Node of a prepared checkout. */
export function nodeOf(tree: string): string {
  return path.join(tree, 'node_modules', 'node', 'bin', 'node');
}
