/** openapi-spec-validator from PyPI: checks that Python tools can read an OpenAPI document. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { acquireBinary, fillOnce, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const PACKAGE = 'openapi-spec-validator==0.9.0';
/** Debian's pip depends on its Python. */
const PYTHON: Program = {
  names: ['python3'],
  package: 'python3-pip',
  file: 'usr/bin/python3',
  probe: ['--version'],
};

/** @throws unavailable `TOOL_FAILED` with its findings */
export async function validateOpenApi(file: string): Promise<string> {
  const { path, env } = await acquireBinary(PYTHON, { cacheDir: testCacheDir, env: testEnv });
  const python = (args: string[], modules: string) =>
    run(path, args, { env: { ...testEnv, ...env, PYTHONPATH: modules } });
  const dir = join(testCacheDir, 'python', PACKAGE.replace('==', '-'));
  await fillOnce(dir, async (draft) => {
    await python(['-m', 'pip', 'install', '--quiet', '--target', draft, PACKAGE], pipOf(path));
  });
  return python(['-m', 'openapi_spec_validator', file], dir);
}

/** An unpacked Python looks for its modules in the machine's /usr. */
function pipOf(python: string): string {
  const modules = resolve(python, '..', '..', 'lib', 'python3', 'dist-packages');
  return existsSync(join(modules, 'pip')) ? modules : '';
}
