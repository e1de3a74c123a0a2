/** Our tables are those of the pinned Trivy: they are compared with its source. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { PINNED_VERSION } from '../acquire/version.ts';
import { KNOWN_FAMILIES } from '../database/releases.ts';
import { FAMILY_IDS } from '../unread/os-names.ts';
import { packageFileKind } from '../unread/package-files.ts';
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
});

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

  it('asks for the files of packages in our table, and for no others', async () => {
    const language = (path: string) => read(`pkg/fanal/analyzer/language/${path}`);
    const quoted = (text = '') => [...text.matchAll(/"([^"]+)"/g)].map(([, each = '']) => each);
    const listIn = (text: string, name: string) =>
      quoted(
        new RegExp(`${name} = \\[\\]string\\{([^}]+)\\}`)
          .exec(text)?.[1]
          ?.replaceAll(/\/\/.*/g, ''),
      );
    const paths = [
      ...quoted(/requiredFile = (.+)/.exec(await language('nodejs/pkg/pkg.go'))?.[1]),
      ...listIn(await language('python/packaging/packaging.go'), 'eggFiles').map(
        (each) => `a${each}`,
      ),
      ...quoted(/eggExt *= (.+)/.exec(await language('python/packaging/egg.go'))?.[1]).map(
        (each) => `a${each}`,
      ),
      ...listIn(await language('java/jar/jar.go'), 'requiredExtensions').map((each) => `a${each}`),
      ...quoted(/depsExtension = (.+)/.exec(await language('dotnet/deps/deps.go'))?.[1]).map(
        (each) => `a${each}`,
      ),
      ...quoted(/ComposerInstalledJson *= (.+)/.exec(await read('pkg/fanal/types/const.go'))?.[1]),
    ];
    const databases = listIn(await read('pkg/fanal/analyzer/pkg/rpm/rpm.go'), 'requiredFiles');
    expect(databases.map(packageFileKind)).toEqual(Array.from({ length: 7 }, () => 'rpm'));
    expect(paths.filter((path) => packageFileKind(path) === null)).toEqual([]);
    expect(paths).toHaveLength(1 + 4 + 1 + 4 + 1 + 1);
    // Names that are no literals in the source.
    for (const [file, text] of [
      ['python/packaging/packaging.go', 'filepath.Base(path) == "METADATA" || isEggFile(path)'],
      ['python/packaging/packaging.go', 'strings.Contains(filePath, ".dist-info")'],
      ['ruby/gemspec/gemspec.go', '`.*/specifications/.+\\.gemspec`'],
      ['conda/meta/meta.go', '`.*/envs/.+/conda-meta/.+-.+-.+\\.json`'],
      ['nodejs/pkg/pkg.go', 'requiredFile == filepath.Base(filePath)'],
    ] as const)
      expect(await language(file)).toContain(text);
    expect(listIn(await read('pkg/fanal/analyzer/sbom/sbom.go'), 'requiredSuffixes')).toEqual([
      ...['.spdx', '.spdx.json', '.cdx', '.cdx.json'],
    ]);
  });

  it('has no analyzers for images besides those, programs and lists of what a build installs', async () => {
    const text = (await read('pkg/fanal/analyzer/const.go')).replaceAll(/\/\/.*/g, '');
    const group = (name: string) =>
      (new RegExp(`${name} = \\[\\]Type\\{([^}]+)\\}`).exec(text)?.[1] ?? '').match(/Type\w+/g) ??
      [];
    const locks = new Set<string>(group('TypeLockfiles'));
    expect(group('TypeLanguages').filter((each) => !locks.has(each))).toEqual([
      'TypeGemSpec',
      'TypeCargo',
      'TypeComposerVendor',
      'TypeJar',
      'TypeNodePkg',
      'TypeNuget',
      'TypeDotNetCore',
      'TypePackagesProps',
      'TypeCondaPkg',
      'TypePythonPkg',
      'TypePythonPkgEgg',
      'TypeGoBinary',
      'TypeRustBinary',
      'TypeJulia',
      'TypeSBOM',
    ]);
  });

  it('takes the names of operating systems in our table for their families', async () => {
    const text = await read('pkg/fanal/analyzer/os/release/release.go');
    const cases = [...text.matchAll(/case (".+"):.*\n\s*return types\.(\w+)/g)];
    const ids = cases.map(([, quoted = '', constant = '']) => [
      constants.get(constant),
      [...quoted.matchAll(/"([^"]+)"/g)].map(([, id]) => id),
    ]);
    // It recognises these by separate files.
    const others = { amazon: ['amzn'], debian: ['debian'], ubuntu: ['ubuntu'] };
    const refined = { 'centos-stream': ['centos'] };
    expect({ ...Object.fromEntries(ids), ...others, ...refined }).toEqual(
      Object.fromEntries(Object.entries(FAMILY_IDS).map(([family, known]) => [family, [...known]])),
    );
  });

  it('leaves to the distribution what we take for that', async () => {
    const filter = await read('pkg/fanal/handler/sysfile/filter.go');
    expect([...filter.matchAll(/"\/(usr[^"]+)"/g)].map(([, path]) => path)).toEqual([
      'usr/lib/python2.7/argparse.egg-info',
      'usr/lib/python2.7/lib-dynload/Python-2.7.egg-info',
      'usr/lib/python2.7/wsgiref.egg-info',
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
