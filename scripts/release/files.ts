/**
 * Writes, signs and verifies the files of a release: the chart, the package of `pcs`, SBOMs,
 * provenance, `images.json`, and `SHA256SUMS` over all of them.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '@portcullis/embedded';

const SUMS = 'SHA256SUMS';
const SIGNATURE = `${SUMS}.sig`;
/** The purpose of the signature: one that was made for another purpose is refused. */
const NAMESPACE = 'portcullis-release';

export async function packageChart(
  helm: string,
  chart: string,
  version: string,
  dir: string,
): Promise<void> {
  const versions = ['--version', version, '--app-version', version];
  await run(helm, ['package', chart, ...versions, '--destination', dir], { env: process.env });
}

/** The package of npm, which `npm publish` takes as it is. */
export async function packCommand(app: string, dir: string): Promise<void> {
  const where = ['--silent', '--pack-destination', dir];
  await run('npm', ['pack', ...where], { cwd: app, env: process.env });
}

/** In the format of `sha256sum`. */
export async function writeSums(dir: string): Promise<string[]> {
  const files = (await readdir(dir)).filter((name) => name !== SUMS && name !== SIGNATURE).sort();
  const lines = await Promise.all(
    files.map(async (name) => `${await sha256Of(path.join(dir, name))}  ${name}\n`),
  );
  await writeFile(path.join(dir, SUMS), lines.join(''));
  return files;
}

/** Files that are missing, changed, or not in the list. */
export async function wrongFiles(dir: string): Promise<string[]> {
  const listed = new Map(
    (await readFile(path.join(dir, SUMS), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const present = (await readdir(dir)).filter((name) => name !== SUMS && name !== SIGNATURE);
  const checked = [...listed].map(async ([name, sum]) => {
    if (!present.includes(name)) return [`${name} is missing`];
    return (await sha256Of(path.join(dir, name))) === sum ? [] : [`${name} has another checksum`];
  });
  const extra = present
    .filter((name) => !listed.has(name))
    .map((name) => `${name} is not in ${SUMS}`);
  return [...(await Promise.all(checked)).flat(), ...extra];
}

export interface Keygen {
  path: string;
  env: Record<string, string>;
}
const ON_PATH: Keygen = { path: 'ssh-keygen', env: {} };

const keygen = ({ path: program, env }: Keygen, args: string[], input: string) =>
  run(program, args, { input, env: { ...process.env, ...env } });

/** @param key private key of OpenSSH, or a public one whose private key an agent holds */
export async function signSums(dir: string, key: string, program = ON_PATH): Promise<void> {
  const args = ['-Y', 'sign', '-q', '-f', key, '-n', NAMESPACE];
  const signature = await keygen(program, args, await sumsOf(dir));
  await writeFile(path.join(dir, SIGNATURE), signature);
}

/**
 * @param signers a file in the format of `allowed_signers`: ssh-keygen(1). @throws unavailable
 * `TOOL_FAILED`
 */
export async function verifySums(
  dir: string,
  signers: string,
  identity: string,
  program = ON_PATH,
): Promise<void> {
  const what = ['-f', signers, '-I', identity, '-n', NAMESPACE, '-s', path.join(dir, SIGNATURE)];
  await keygen(program, ['-Y', 'verify', ...what], await sumsOf(dir));
}

const sumsOf = (dir: string) => readFile(path.join(dir, SUMS), 'utf8');

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
