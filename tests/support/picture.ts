/**
 * Takes the pictures of the README: `node_modules/.bin/node tests/support/picture.ts`. They show
 * the demonstration: a part of what it prints, over the page of the image that it blocks, in light
 * and dark mode.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openBrowser, temporaryDir } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { requestsEnded, settled, signedIn } from './browser.ts';
import { demoCache, linksIn, loginIn, originIn, startDemo } from './demo-run.ts';

const IMAGES = path.resolve(import.meta.dirname, '../../docs/images');
const PICTURES = [
  ['light', 'demo.webp'],
  ['dark', 'demo-dark.webp'],
] as const;
const SIZE = { width: 1280, height: 960 };
/** Steps of the story that the terminal shows. */
const STEPS = [6, 7, 8, 10];

await using place = await temporaryDir();
const demo = await startDemo(await demoCache(place.path));
const browser = await openBrowser();
try {
  const printed = stripVTControlCharacters(demo.output());
  const url = originIn(printed);
  const blocked = linksIn(printed).find((link) => link.includes('/staging/')) ?? '';
  const { page, close } = await signedIn(browser, url, loginIn(printed, 'administrator'));
  await page.setViewportSize(SIZE);
  for (const [colorScheme, file] of PICTURES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(blocked);
    await page.getByText('CVE-2099-1007').first().waitFor();
    await requestsEnded(page);
    await settled(page);
    const behind = await page.screenshot();
    await writeFile(path.join(IMAGES, file), await composed(browser, behind, shownLines(printed)));
  }
  await close();
} finally {
  await browser.close();
  await demo.stop();
}

/** Without times and addresses, which differ each time. */
function shownLines(printed: string): string[] {
  const steps = printed.split(/\n(?= ?\d+ {2}\S)/);
  return steps
    .filter((step) => STEPS.includes(Number.parseInt(step, 10)))
    .flatMap((step) => step.split('\n'))
    .filter((line) => !/^ *$|→|^ +\d+\.\d s$|^ +http:/.test(line))
    .map((line) => line.replace(/127\.0\.0\.1:\d+/, 'localhost:8080').replace(/ Details:$/, ''));
}

async function composed(browser: Browser, behind: Buffer, lines: string[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.setContent(`
    <style>
      body { margin: 0; background: url(data:image/png;base64,${behind.toString('base64')}) no-repeat; }
      pre { position: absolute; right: 22px; bottom: 22px; box-sizing: border-box;
        width: 700px; margin: 0; padding: 40px 20px 16px;
        border: 1px solid #3a424f; border-radius: 10px; background: #10141a; color: #d9dee6;
        box-shadow: 0 10px 40px rgb(0 0 0 / 35%); font: 13.5px/1.5 "DejaVu Sans Mono", monospace;
        white-space: pre-wrap; }
      pre::before { content: "$ npm run demo"; position: absolute; top: 12px; left: 20px; color: #98a2b1; }
      b { display: inline-block; margin-top: 8px; color: #fff; } .good { color: #6fd39a; } .bad { color: #ff8a94; }
    </style>
    <pre>${lines.map(marked).join('\n')}</pre>`);
  const picture = await webp(page);
  await page.close();
  return picture;
}

function marked(line: string): string {
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (/^ ?\d+ {2}/.test(text)) return `<b>${text}</b>`;
  return text
    .replace('✓', '<span class="good">✓</span>')
    .replace('✗', '<span class="bad">✗</span>');
}

/** Playwright supports PNG and JPEG only. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  return Buffer.from(data, 'base64');
}
