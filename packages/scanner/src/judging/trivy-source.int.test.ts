/** Our tables are those of the pinned Trivy: they are compared with its source. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { PINNED_VERSION } from '../acquire/version.ts';
import { KNOWN_FAMILIES } from '../database/releases.ts';
import { JUDGED_TYPES } from './package-types.ts';
import { HARMLESS_WARNINGS, REPEATED_WARNINGS } from './scanner-warnings.ts';

const MODULE_DIR = join(import.meta.dirname, '..', '..', 'trivy');
let source: string;
let constants: ReadonlyMap<string, string>;

const read = (path: string) => readFile(join(source, path), 'utf8');

beforeAll(async () => {
  const name = 'github.com/aquasecurity/trivy';
  const json = await go(['mod', 'download', '-json', `${name}@v${PINNED_VERSION}`], {
    cwd: MODULE_DIR,
  });
  source = JSON.parse(json).Dir;
  const text = await read('pkg/fanal/types/const.go');
  constants = new Map(
    [...text.matchAll(/^\s*(\w+)\s+(?:OS|Lang)Type\s+= "([^"]+)"/gm)].map(
      ([, constant = '', value = '']) => [constant, value],
    ),
  );
}, 120_000);

/** The values of the constants that a piece of source names. */
function valuesIn(text: string): string[] {
  return [...text.matchAll(/\bftypes\.(\w+)/g)]
    .flatMap(([, name = '']) => constants.get(name) ?? [])
    .sort();
}

describe('the pinned Trivy', () => {
  it('has advisories for the types of packages in our table, and for no others', async () => {
    const text = (await read('pkg/detector/library/driver.go')).replaceAll(/^\s*\/\/.*\n/gm, '');
    const cases = [...text.matchAll(/case ([^:]+):\s*eco = /g)].map(([, types = '']) => types);
    expect(cases.length).toBeGreaterThan(10);
    expect(valuesIn(cases.join())).toEqual([...JUDGED_TYPES].sort());
  });

  it('has advisories for the operating systems in our table, and for no others', async () => {
    const text = await read('pkg/detector/ospkg/detect.go');
    const drivers = /drivers = map\[[^{]+\{([^}]+)\}/.exec(text)?.[1] ?? '';
    // The driver of CoreOS finds nothing.
    expect(await read('pkg/detector/ospkg/coreos/coreos.go')).toContain('not supported');
    const families = valuesIn(drivers.replaceAll(/:\s.*/g, ','));
    expect(families.filter((family) => family !== 'coreos')).toEqual([...KNOWN_FAMILIES].sort());
  });

  it('reads the databases of operating systems that we take for read', async () => {
    const files = [
      ['apk/apk.go', 'lib/apk/db/installed'],
      ['apk/apk.go', 'usr/lib/apk/db/installed'],
      ['dpkg/dpkg.go', 'var/lib/dpkg/status'],
      ['dpkg/dpkg.go', 'var/lib/dpkg/status.d/'],
      ['rpm/rpm.go', 'var/lib/rpm/rpmdb.sqlite'],
      ['rpm/rpm.go', 'usr/share/rpm/rpmdb.sqlite'],
    ];
    for (const [file = '', path = ''] of files)
      expect(await read(`pkg/fanal/analyzer/pkg/${file}`)).toContain(`"${path}"`);
    const analyzers = await readdir(join(source, 'pkg/fanal/analyzer/pkg'));
    expect(analyzers.sort()).toEqual(['apk', 'bottlerocket_inventory', 'dpkg', 'rpm']);
  });

  it('reads the languages that it read when our table was made', async () => {
    const languages = await readdir(join(source, 'pkg/fanal/analyzer/language'), {
      withFileTypes: true,
    });
    expect(languages.filter((each) => each.isDirectory()).map(({ name }) => name)).toEqual([
      'c',
      'conda',
      'dart',
      'dotnet',
      'elixir',
      'golang',
      'java',
      'julia',
      'nodejs',
      'php',
      'python',
      'ruby',
      'rust',
      'swift',
    ]);
  });

  it('writes each warning that we know', async () => {
    const files = await readdir(join(source, 'pkg'), { recursive: true });
    const texts = await Promise.all(
      files.filter((file) => file.endsWith('.go')).map((file) => read(join('pkg', file))),
    );
    const all = texts.join('\n');
    for (const warning of [...HARMLESS_WARNINGS, ...REPEATED_WARNINGS])
      expect(all.includes(warning), warning).toBe(true);
  });
});
