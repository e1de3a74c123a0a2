/** The first start, the first login with the printed password, and who can reach it. */
import { readFileSync } from 'node:fs';
import { check, runUntil } from './command.mjs';

await runUntil(['start'], /Portcullis is ready/, async ({ output, port }) => {
  await logIn(output);
  listensOnLoopbackOnly(port);
});

async function logIn(output) {
  const url = /Address +(\S+)/.exec(output)?.[1];
  const password = /Password +(\S+)/.exec(output)?.[1];
  const body = JSON.stringify({ username: 'admin', password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
  check(answer.status === 200, `the first login was answered with ${answer.status}`);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const isPage = page.headers.get('content-type')?.startsWith('text/html') ?? false;
  check(page.status === 200 && isPage, `the web page was answered with ${page.status}`);
}

function listensOnLoopbackOnly(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const addresses = ['tcp', 'tcp6']
    .flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local.endsWith(`:${hex}`))
    .map(([, local]) => local.split(':')[0]);
  check(
    addresses.join() === '0100007F',
    `it listens on ${addresses.join(', ')}, not on 127.0.0.1 alone`,
  );
}
