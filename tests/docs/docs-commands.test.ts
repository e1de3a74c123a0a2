import { describe, expect, it } from 'vitest';
import { commandsOf, docsBlocks, isRun, NOT_RUN, runBlocks } from './docs-commands.ts';

describe('commands of a block', () => {
  it.each([
    { of: 'two lines', text: 'a\nb', commands: ['a', 'b'] },
    { of: 'a continued line', text: 'a \\\n  b\nc', commands: ['a \\\n  b', 'c'] },
    { of: 'a quotation over two lines', text: "a '{\n}'\nb", commands: ["a '{\n}'", 'b'] },
    {
      of: 'a quotation with the other mark in it',
      text: 'a "it\'s"\nb',
      commands: ['a "it\'s"', 'b'],
    },
    { of: 'comments and empty lines', text: '# why\n\na    # how', commands: ['a'] },
  ])('are parsed from $of', ({ text, commands }) => expect(commandsOf(text)).toEqual(commands));
});

it('each command that is not run has a reason', () => {
  expect(NOT_RUN.filter(({ because }) => because.length < 10)).toEqual([]);
});

/**
 * tests/docs/docs-commands.night.test.ts implements the commands of these pages; a command on
 * another page has to be added to the list or to that test.
 */
it('every page with commands that can run is run by a test', () => {
  expect([...new Set(runBlocks.map(({ page }) => page))]).toEqual([
    'README.md',
    'docs/guide/air-gap.md',
    'docs/guide/install.md',
    'docs/guide/mirror.md',
  ]);
});

it('most commands of the README run', () => {
  const lines = docsBlocks
    .filter(({ page }) => page === 'README.md')
    .flatMap((block) => block.lines);
  expect(lines.filter((line) => !isRun(line))).toHaveLength(2);
});
