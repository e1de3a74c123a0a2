/**
 * `npm run bench gate [-- pairs]`: GET of a manifest from a folder with `pull_gate` `enforce`
 * against one with `off`, in turn, on one connection. Prints the table of docs/benchmarks.md. The
 * standings are in memory, as they are for all but the first pull of an image.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import path from 'node:path';
import { median } from './figures.ts';

const WARM_UP = 500;
const ACCEPT = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

const pairs = Number(process.argv[2] ?? 5_000);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const authorization = `Basic ${Buffer.from('bench:pass-of-bench').toString('base64')}`;
const server = spawn(process.execPath, [path.join(import.meta.dirname, 'gate-server.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

/** Milliseconds until the whole manifest is there. */
function time(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    get(url, { agent, headers: { accept: ACCEPT, authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - started));
    }).once('error', reject);
  });
}

interface Pair {
  off: number;
  enforce: number;
}

/** Each order as often, so that neither side gains by what the other left behind. */
async function pair(off: string, enforce: string, nth: number): Promise<Pair> {
  if (nth % 2 === 0) return { off: await time(off), enforce: await time(enforce) };
  const second = await time(enforce);
  return { off: await time(off), enforce: second };
}

function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

async function row(title: string, url: string, name: string): Promise<void> {
  const at = (folder: string) => `${url}/v2/${folder}/${name}/manifests/1`;
  const taken: Pair[] = [];
  for (let nth = -WARM_UP; nth < pairs; nth += 1) {
    const measured = await pair(at('off'), at('enforce'), nth);
    if (nth >= 0) taken.push(measured);
  }
  const cell = (values: number[]) =>
    `${median(values).toFixed(2)} (${percentile(values, 0.95).toFixed(2)})`;
  const [off, enforce] = [taken.map((each) => each.off), taken.map((each) => each.enforce)];
  const more = median(taken.map((each) => each.enforce - each.off)).toFixed(2);
  process.stdout.write(`| ${title} | ${cell(off)} | ${cell(enforce)} | ${more} |\n`);
}

try {
  const [line] = await once(server.stdout, 'data');
  const { url, findings, platforms } = JSON.parse(String(line));
  process.stdout.write('| manifest | `off` | `enforce` | more |\n|---|---|---|---|\n');
  await row(`image with ${findings} findings`, url, 'image');
  await row(`index of ${platforms} such images`, url, 'index');
} finally {
  agent.destroy();
  server.stdin.end();
  await once(server, 'exit');
}
