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
/** The width and height of the picture; the page is as wide, and the terminal covers its end. */
const SIZE = { width: 1280, height: 1000 };
const TERMINAL_HEIGHT = 470;

await using place = await temporaryDir();
const demo = await startDemo(await demoCache(place.path));
const browser = await openBrowser();
try {
  const printed = stripVTControlCharacters(demo.output());
  const url = originIn(printed);
  const blocked = linksIn(printed).find((link) => link.includes('/staging/')) ?? '';
  const { page, close } = await signedIn(browser, url, loginIn(printed, 'administrator'));
  await page.setViewportSize({ ...SIZE, height: SIZE.height - TERMINAL_HEIGHT + 40 });
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

/** From the pulls to the pull that is refused, without addresses, which differ each time. */
function shownLines(printed: string): string[] {
  const lines = printed.split('\n');
  const from = lines.findIndex((line) => /^ ?5 {2}/.test(line));
  const to = lines.findIndex((line) => /^10 {2}/.test(line));
  return lines
    .slice(from, to)
    .filter((line) => !/→|^ +\d+\.\d s$|^ *$/.test(line))
    .map((line) => line.replace(/ Details: .*/, '').replace(/127\.0\.0\.1:\d+/, 'localhost:8080'));
}

async function composed(browser: Browser, behind: Buffer, lines: string[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.setContent(`
    <style>
      body { margin: 0; background: url(data:image/png;base64,${behind.toString('base64')}) no-repeat; }
      pre { position: absolute; left: 28px; right: 28px; bottom: 20px; box-sizing: border-box;
        height: ${TERMINAL_HEIGHT}px; margin: 0; padding: 44px 22px 18px; overflow: hidden;
        border: 1px solid #3a424f; border-radius: 10px; background: #10141a; color: #d9dee6;
        box-shadow: 0 10px 40px rgb(0 0 0 / 35%); font: 14.5px/1.55 "DejaVu Sans Mono", monospace;
        white-space: pre-wrap; }
      pre::before { content: "$ npm run demo"; position: absolute; top: 14px; left: 22px; color: #98a2b1; }
      b { color: #fff; } .good { color: #6fd39a; } .bad { color: #ff8a94; }
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
