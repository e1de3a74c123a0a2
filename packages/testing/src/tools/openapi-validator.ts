/** openapi-spec-validator from PyPI: checks that Python tools can read an OpenAPI document. */
import { join } from 'node:path';
import { acquireBinary, fillOnce, findOnPath, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const PACKAGE = 'openapi-spec-validator==0.9.0';
/** @throws unavailable `TOOL_FAILED` with its findings */
export async function validateOpenApi(file: string): Promise<string> {
  const { python, env } = await pythonWithPip();
  const modules = (args: string[], added: NodeJS.ProcessEnv) =>
    run(python, args, { env: { ...testEnv, ...env, ...added } });
  const dir = join(testCacheDir, 'python', PACKAGE.replace('==', '-'));
  await fillOnce(dir, async (draft) => {
    await modules(['-m', 'pip', 'install', '--quiet', '--target', draft, PACKAGE], {});
  });
  return modules(['-m', 'openapi_spec_validator', file], { PYTHONPATH: dir });
}

/**
 * The machine may have both, Python alone (npm's Debian package depends on it) or neither. Debian's
 * pip comes with the Python that it depends on, unless the machine has it.
 */
async function pythonWithPip(): Promise<{ python: string; env: Record<string, string> }> {
  const own = await findOnPath('python3', testEnv.PATH);
  const pip: Program = {
    names: own === null ? [] : ['pip3'],
    package: 'python3-pip',
    ...(own === null
      ? { file: 'usr/bin/python3', probe: ['-m', 'pip', '--version'] }
      : { file: 'usr/bin/pip3', probe: ['--version'] }),
    // An unpacked Python looks for its modules in the machine's /usr.
    unpackedEnv: (root) => ({ PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') }),
  };
  const { path, env } = await acquireBinary(pip, { cacheDir: testCacheDir, env: testEnv });
  return { python: own ?? path, env };
}
