/** Programs from PyPI, which the tests run with the machine's Python or with Debian's. */
import { join } from 'node:path';
import { acquireBinary, fillOnce, findOnPath, type Program, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const OPENAPI_VALIDATOR = 'openapi-spec-validator==0.9.0';
const YAMLLINT = 'yamllint==1.38.0';

/**
 * Checks that Python tools can read an OpenAPI document.
 *
 * @throws unavailable `TOOL_FAILED` with its findings
 */
export function validateOpenApi(file: string): Promise<string> {
  return runModule(OPENAPI_VALIDATOR, ['openapi_spec_validator', file]);
}

/** @throws unavailable `TOOL_FAILED` where a file breaks a rule of the configuration */
export function yamllint(configuration: string, files: readonly string[]): Promise<string> {
  return runModule(YAMLLINT, ['yamllint', '--strict', '-c', configuration, ...files]);
}

async function runModule(requirement: string, call: string[]): Promise<string> {
  const { python, env } = await pythonWithPip();
  const modules = (args: string[], added: NodeJS.ProcessEnv) =>
    run(python, ['-m', ...args], { env: { ...testEnv, ...env, ...added } });
  const dir = join(testCacheDir, 'python', requirement.replace('==', '-'));
  await fillOnce(dir, async (draft) => {
    await modules(['pip', 'install', '--quiet', '--target', draft, requirement], {});
  });
  return modules(call, { PYTHONPATH: dir });
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
