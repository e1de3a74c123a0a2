/**
 * An exported type name belongs to one file of the workspace. Documents of the REST API may have
 * the name of what they show.
 */
import { expect, it } from 'vitest';
import { type SourceFile, shipped } from './sources.ts';

const EXPORTED = /^export (?:interface|type|class|enum) ([A-Z]\w*)\b(?! *\})/gm;

const [documents, inner] = [true, false].map((wanted) =>
  shipped.filter(({ file }) => file.startsWith('packages/contract/') === wanted),
);

it.each([
  ['of the contract', documents],
  ['elsewhere', inner],
])('no two files %s export a type of the same name', (_, sources = []) => {
  const named = sources.flatMap(({ file, text }: SourceFile) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ name, file })),
  );
  expect(named.length).toBeGreaterThan(30);
  const twice = [...Map.groupBy(named, ({ name }) => name)].filter(([, files]) => files.length > 1);
  expect(
    twice.map(([name, files]) => `${name}: ${files.map(({ file }) => file).join(', ')}`),
  ).toEqual([]);
});
