/** Programs of the machine or of Debian packages, for scripts of the documents. */
import path from 'node:path';
import { acquireBinary, cacheDir, type Program } from '@portcullis/embedded';

export const CURL: Program = {
  names: ['curl'],
  package: 'curl',
  file: 'usr/bin/curl',
  probe: ['--version'],
};
export const JQ: Program = {
  names: ['jq'],
  package: 'jq',
  file: 'usr/bin/jq',
  probe: ['--version'],
};
export const PYTHON: Program = {
  names: ['python3'],
  package: 'python3',
  file: 'usr/bin/python3',
  probe: ['-c', 'import http.server'],
};

/** Our environment with all of them on PATH. */
export async function programsEnv(programs: readonly Program[]): Promise<NodeJS.ProcessEnv> {
  const options = { cacheDir: cacheDir(process.env), env: process.env };
  const found = await Promise.all(programs.map((program) => acquireBinary(program, options)));
  const libraries = joined(found.map(({ env }) => env.LD_LIBRARY_PATH));
  return {
    ...process.env,
    ...(libraries && { LD_LIBRARY_PATH: libraries }),
    PATH: joined([...found.map((each) => path.dirname(each.path)), process.env.PATH]),
  };
}

function joined(directories: readonly (string | undefined)[]): string {
  return directories.filter(Boolean).join(path.delimiter);
}
