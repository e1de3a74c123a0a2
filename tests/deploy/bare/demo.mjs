/** The demonstration's whole story, and each link that it prints. */
import { check, runUntil } from './command.mjs';

const LAST_LINE = /npm run demo -- --remove/;

await runUntil(['run', 'demo'], LAST_LINE, async ({ output }) => {
  const links = new Set(output.match(/http:\/\/127\.0\.0\.1:\d+[^\s]*/g));
  check(links.size >= 8, `it printed ${links.size} addresses`);
  for (const link of links) {
    const page = await fetch(link, { headers: { accept: 'text/html' } });
    check(page.status === 200, `${link} was answered with ${page.status}`);
  }
});
