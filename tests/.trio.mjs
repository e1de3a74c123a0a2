import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const names = process.argv.slice(2);
const b = await chromium.launch({ executablePath: '/usr/lib/chromium/chromium', args: ['--no-sandbox'] });
const p = await b.newPage({ viewport: { width: 1900, height: 800 } });
const img = (n) => {
  try {
    return `<img style="height:740px;margin:4px;border:1px solid #888" src="data:image/png;base64,${readFileSync(`/tmp/jshots/${n}.png`).toString('base64')}">`;
  } catch {
    return '';
  }
};
for (const n of names) {
  await p.setContent(
    `<body style="margin:0;background:#999;display:flex;align-items:start">${['light', 'narrow'].map((s) => img(`${n}-${s}`)).join('')}${process.env.DARK ? img(`${n}-dark`) : ''}</body>`,
  );
  await p.setViewportSize({ width: process.env.DARK ? 2800 : 1580, height: 760 });
  await p.screenshot({ path: `/tmp/jshots/_${n}.png` });
}
await b.close();
