import { type Contract, contract } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { useFaultWords } from '../words/fault-words.ts';
import type { UseWords, Words } from './words.ts';

type Hook = UseWords<Words>;

const modules = import.meta.glob<Record<string, unknown>>('../**/*-words.ts', { eager: true });
const hooks = Object.entries(modules).flatMap(([file, exported]) =>
  Object.values(exported)
    .filter((each): each is Hook => typeof each === 'function' && 'dictionary' in each)
    .map((hook) => [file, hook.dictionary] as const),
);

/** Words that are the same in English. */
const BOTH = [
  'CVSS 2',
  'Docker Hub',
  'Format',
  'Id',
  'Image',
  'Images',
  'Labels',
  'Port',
  'Ports',
  'Proxy',
  'Syslog',
  'Version 2, 2',
  'docker, podman, helm',
  'latest',
];
const SAME = {
  fr: [
    ...BOTH,
    '2 blobs',
    '2 images',
    'Configuration',
    'Description',
    'Destination',
    'Instance',
    'Menu',
    'Options',
    'Production',
    'Source',
    'Transport',
    'Verdict',
  ],
  de: [
    ...BOTH,
    'Digest',
    'Entrypoint',
    'Host',
    'Live',
    'Name',
    'Person',
    'Problem',
    'Pushes',
    'Registries',
    'Registry',
    'Repositories',
    'Repository',
    'Scanner',
    'Scopes',
    'Status',
    'System',
    'Tag',
    'Tags',
    'Token',
    'ghcr.io, registry.example.com:5000',
    'team/app',
  ],
};

/** Each text by its place; a sentence that takes values is given some. */
function texts(words: Words, place = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) => {
      const here = `${place}.${key}`;
      if (typeof value === 'object') return [...texts(value, here)];
      const values = ['2', '2', '2'] as never[];
      return [[here, typeof value === 'function' ? value(...values) : value] as const];
    }),
  );
}

it('are found', () => {
  expect(hooks.length).toBeGreaterThan(20);
});

describe.each(['fr', 'de'] as const)('in %s', (language) => {
  it.each(hooks)('%s has each text, and none in English', (_, dictionary) => {
    const english = texts(dictionary.en);
    const own = texts(dictionary[language]);
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    const same = [...own].filter(
      ([place, text]) => /\p{L}{2}/u.test(text) && text === english.get(place),
    );
    expect(same.map(([, text]) => text).filter((text) => !SAME[language].includes(text))).toEqual(
      [],
    );
  });
});

it('has words for each fault that the contract names', () => {
  const operations = Object.values<Contract>(contract).flatMap((feature) => Object.values(feature));
  const named = operations.flatMap(({ faults }) => (faults ?? []).flatMap(({ codes }) => codes));
  const { codes } = useFaultWords.dictionary.en;
  expect([...new Set(named)].filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
});
