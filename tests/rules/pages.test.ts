/** Each test in a browser has its own page, and states of pages are checked in one place. */
import { expect, it } from 'vitest';
import { ofTests, placesOf, written } from './sources.ts';

const tests = written.filter(({ file }) => /^tests\/.*\.ts$/.test(file));
const browserTests = tests.filter(({ file }) => /^tests\/web\/.*\.test\.ts$/.test(file));
const inBrowser = ofTests.filter(({ text }) => /\bpage\.(?:goto|url)\(/.test(text));

/** The files in which a line matches, with the number of the line. */
const linesWith = (files: typeof tests, pattern: RegExp): string[] =>
  files.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}`] : [])),
  );

it('no variable of a file or a describe holds a page, a browser context or a visitor', () => {
  const kept = /^\s*(?:let|var) \w+(?:: (?:Page|Visitor|BrowserContext)\b|[^=]*\bVisitor\[\])/;
  const named = /^\s*(?:let|var) (?:page|visitor|context)\b/;
  expect(linesWith(tests, kept)).toEqual([]);
  expect(linesWith(tests, named)).toEqual([]);
});

it('no hook opens a page: the fixture of a test does, or the test itself', () => {
  const opening = browserTests.filter(({ text }) =>
    [
      ...text.matchAll(/before(?:All|Each)\(async \(\) => \{\n([\s\S]*?)\n\s*\}(?:, [\d_]+)?\);/g),
    ].some(([, body = '']) => /\b(?:signedIn|visit|newPage|newContext)\(/.test(body)),
  );
  expect(opening.map(({ file }) => file)).toEqual([]);
});

it('accessibility is checked where every page and every scene is', () => {
  const place = /^tests\/(?:web\/measures\/web-every-page\.|support\/(?:browser|axe)\.)/;
  const others = tests.filter(({ file }) => !place.test(file));
  expect(linesWith(others, /\bexpect(?:WellMade|(?:Still)?Accessible)\(/)).toEqual([]);
});

const READ_ONCE = String.raw`\bexpect\(\s*await [^;]*?\.(?:count|textContent|innerText|inputValue|is[A-Z]\w+|all\w+|getAttribute)\((?:'[^']*')?\)\s*,?\s*\)`;

it('no test in a browser reads once what the page may change a little later', () => {
  expect(placesOf(inBrowser, new RegExp(READ_ONCE, 'g'))).toEqual([]);
  expect(placesOf(inBrowser, /\bexpect\(\s*(?:new URL\()?page\.url\(\)/g)).toEqual([]);
});

it('no test in a browser waits for a fixed time', () => {
  expect(linesWith(tests, /\bwaitForTimeout\(/)).toEqual([]);
});

/** Each takes seven seconds of the processor before its first test. */
const MOST_PRODUCTS = 8;

it(`the change lane starts at most ${MOST_PRODUCTS} products for its tests in a browser`, () => {
  const starting = browserTests.filter(
    ({ file, text }) =>
      file.endsWith('.int.test.ts') && /\b(?:browsed|supplied|example)Product\(/.test(text),
  );
  expect(starting.map(({ file }) => file).slice(MOST_PRODUCTS)).toEqual([]);
});

it('code is loaded apart by loadedPart, which does not hold the page back', () => {
  const page = written.filter(({ file }) => file.startsWith('apps/web/src/'));
  expect(linesWith(page, /import .*\blazy\b.* from 'react'/)).toEqual([]);
});
