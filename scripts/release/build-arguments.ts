/**
 * Build arguments that state what an image was made from: version, commit, and the time of the
 * commit.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '@portcullis/embedded';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface BuildArguments {
  VERSION: string;
  /** Empty outside of a git checkout; with `-dirty` where changes are not committed. */
  REVISION: string;
  /** RFC 3339. The commit's time, so that the same commit gives the same label. */
  CREATED: string;
}

export async function buildArguments(): Promise<BuildArguments> {
  const VERSION: string = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version;
  const [commit, time, changes] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('log', '-1', '--format=%cI'),
    git('status', '--porcelain'),
  ]);
  const dirty = changes ? '-dirty' : '';
  const CREATED = new Date(time || Date.now()).toISOString();
  return { VERSION, REVISION: commit && `${commit}${dirty}`, CREATED };
}

/** Empty where git fails. */
function git(...args: string[]): Promise<string> {
  return run('git', args, { cwd: ROOT, env: process.env }).then(
    (output) => output.trim(),
    () => '',
  );
}
