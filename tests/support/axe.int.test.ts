/** The checks of pages fail where they should. */
import { openBrowser } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ALL_RULES, contrastsOf, violations, violationsSince, WITHOUT_CONTRAST } from './axe.ts';
import { expectWellMade } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const GREY = 'color: #aaa; background: #fff';

async function pageWith(main: string, style = ''): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.setContent(
    `<!doctype html><html lang="en"><title>A page</title><style>${style}</style>
     <main><h1>A page</h1>${main}</main>`,
  );
  return page;
}

it.each([
  ['grey text', `<p style="${GREY}">Words</p>`, '', 'in light'],
  ['grey text in dark mode', '<p>Words</p>', 'dark', 'in dark'],
  ['a button without a name', '<button></button>', '', 'in light'],
  ['grey text on phones', '<p>Words</p>', 'phone', 'at 360 px'],
  ['other elements with grey text on phones', '<b>Words</b>', 'other', 'at 360 px'],
  ['a background that is grey on phones', '<p>Words <i>here</i></p>', 'parent', 'at 360 px'],
  ['a button without a name on phones', '<button class="a"></button>', 'button', 'at 360 px'],
])('%s is found', async (_, main, kind, where) => {
  const narrow = '@media (max-width: 500px)';
  const styles: Record<string, string> = {
    dark: `@media (prefers-color-scheme: dark) { p { ${GREY} } }`,
    phone: `${narrow} { p { ${GREY} } }`,
    other: `b { display: none; ${GREY} } ${narrow} { b { display: block } }`,
    parent: `${narrow} { p { background: #222 } }`,
    button: `.a { display: none } ${narrow} { .a { display: block } }`,
  };
  const page = await pageWith(main, styles[kind]);
  await expect(expectWellMade(page, 'page')).rejects.toThrow(where);
});

it('nothing is wrong with a page that is well made', async () => {
  await expectWellMade(await pageWith('<p>Words</p>'), 'page');
});

it('contrasts that did not change are not judged again', async () => {
  const page = await pageWith(`<p style="${GREY}">Words</p>`);
  expect(await violations(page, ALL_RULES)).toHaveLength(1);
  expect(await violations(page, WITHOUT_CONTRAST)).toEqual([]);
  expect(await violationsSince(page, await contrastsOf(page))).toEqual([]);
});
