/** openapi-spec-validator from PyPI: checks that Python tools can read an OpenAPI document. */
import { dirname, join } from 'node:path';
import { acquireBinary, fillOnce, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const PACKAGE = 'openapi-spec-validator==0.9.0';
/**
 * Python with pip, found by pip: npm's Debian package brings Python without it. An unpacked Python
 * looks for its modules in the machine's /usr.
 */
const PYTHON: Program = {
  names: ['pip3'],
  package: 'python3-pip',
  file: 'usr/bin/python3',
  probe: ['-m', 'pip', '--version'],
  unpackedEnv: (root) => ({ PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') }),
};

/** @throws unavailable `TOOL_FAILED` with its findings */
export async function validateOpenApi(file: string): Promise<string> {
  const { path, env } = await acquireBinary(PYTHON, { cacheDir: testCacheDir, env: testEnv });
  const python = (args: string[], added: NodeJS.ProcessEnv = {}) =>
    run(join(dirname(path), 'python3'), args, { env: { ...testEnv, ...env, ...added } });
  const dir = join(testCacheDir, 'python', PACKAGE.replace('==', '-'));
  await fillOnce(dir, async (draft) => {
    await python(['-m', 'pip', 'install', '--quiet', '--target', draft, PACKAGE]);
  });
  return python(['-m', 'openapi_spec_validator', file], { PYTHONPATH: dir });
}
