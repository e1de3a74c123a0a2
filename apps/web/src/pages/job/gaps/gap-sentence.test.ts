import type { CoverageGapView } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { coverage as de } from '../../../locales/generated/de/pages.bundle.ts';
import { coverage as en } from '../../../locales/generated/en/pages.bundle.ts';
import { coverage as fr } from '../../../locales/generated/fr/pages.bundle.ts';
import { gapSentences } from './gap-sentence.ts';

const platform = null;
const os = 'debian 12.5';

/** One of each kind that has words. */
const GAPS: Record<Exclude<CoverageGapView['kind'], 'other'>, CoverageGapView> = {
  nothing_found: { kind: 'nothing_found', platform },
  os_unrecognised: { kind: 'os_unrecognised', platform },
  packages_missing: { kind: 'packages_missing', platform, os },
  release_unknown: { kind: 'release_unknown', platform, os },
  end_of_life: { kind: 'end_of_life', platform, os },
  rebuilt: { kind: 'rebuilt', platform, supplier: 'RapidFort' },
  third_party: { kind: 'third_party', platform, count: 7, packages: ['curl', 'docker-ce'] },
  java_index_missing: { kind: 'java_index_missing', platform, archives: ['app.jar'] },
  table_unverified: { kind: 'table_unverified', platform, count: 1, layers: ['sha256:a'] },
  foreign_index: { kind: 'foreign_index', platform },
  layer_unreadable: { kind: 'layer_unreadable', platform, media_type: 'a/b' },
  config_unreadable: { kind: 'config_unreadable', platform, media_type: 'a/b' },
  not_an_image: { kind: 'not_an_image', platform, artifact_type: 'a/b' },
  packages_unjudged: {
    kind: 'packages_unjudged',
    platform,
    package_type: 'conda-pkg',
    count: 2,
    packages: ['openssl', 'zlib'],
  },
  version_missing: {
    kind: 'version_missing',
    platform,
    package_type: 'npm',
    count: 1,
    packages: ['lodash'],
  },
  database_unread: {
    kind: 'database_unread',
    platform,
    system: 'pacman',
    count: 1,
    paths: ['var/lib/pacman/local/a-1/desc'],
  },
  files_unread: {
    kind: 'files_unread',
    platform,
    package_type: 'composer-vendor',
    count: 6,
    paths: ['app/vendor/composer/installed.json'],
  },
  archives_unknown: { kind: 'archives_unknown', platform, count: 1, paths: ['app/app.jar'] },
  layers_unlisted: { kind: 'layers_unlisted', platform, count: 1, layers: ['sha256:a'] },
  os_derived: { kind: 'os_derived', platform, os: 'devuan', judged_as: 'debian' },
  os_unjudged: { kind: 'os_unjudged', platform, os: 'windows' },
  scanner_warning: { kind: 'scanner_warning', platform, message: 'Invalid version' },
  artifact_files: { kind: 'artifact_files', platform, artifact_type: 'a/b' },
};

const NOTE = 'the English note';
const COLON = { colon: ': ' };

function saidOf(gaps: CoverageGapView[] | undefined, t: typeof en, notes = [NOTE]) {
  return gapSentences({ notes, gaps }, t, COLON).map(({ words }) => words);
}

describe.each(Object.entries(GAPS))('the gap %s', (_, gap) => {
  it('has words in each language, with all that it names', () => {
    const { kind: _kind, platform: _platform, ...parameters } = gap;
    const [english, ...others] = [en, de, fr].map((t) => saidOf([gap], t)[0] ?? '');
    expect(new Set([english, ...others, NOTE]).size).toBe(4);
    for (const value of Object.values(parameters).flat()) {
      expect(english).toContain(String(value));
      expect(others.filter((text) => !text.includes(String(value)))).toEqual([]);
    }
  });
});

describe('what a scan did not cover', () => {
  it('names the first of many, and that there are more', () => {
    expect(saidOf([GAPS.third_party], de)).toEqual([
      'Für 7 Pakete von Drittanbietern gibt es keine Sicherheitshinweise: curl, docker-ce, …',
    ]);
  });

  it('names the platforms where there are several', () => {
    const gaps = ['linux/amd64', 'linux/arm64'].map(
      (each): CoverageGapView => ({ kind: 'foreign_index', platform: each }),
    );
    const notes = ['one', 'two'];
    expect(saidOf(gaps, de, notes).map((words) => words?.slice(0, 13))).toEqual([
      'linux/amd64: ',
      'linux/arm64: ',
    ]);
    expect(saidOf(gaps.slice(0, 1), de)).toEqual([de.gaps.foreign_index]);
  });

  it.each<[string, CoverageGapView[] | undefined]>([
    ['has no codes', undefined],
    ['has fewer codes than notes', []],
    ['names a gap that only its note explains', [{ kind: 'other', platform }]],
  ])('is the note alone where the result %s', (_, gaps) => {
    expect(saidOf(gaps, de)).toEqual([null]);
  });
});
