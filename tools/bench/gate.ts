/**
 * `npm run bench gate [-- pairs]`: GET of a manifest from a folder with `pull_gate` `enforce`
 * against one with `off`, in turn, on one connection. Prints the table of docs/benchmarks.md. The
 * standings are in memory, as they are for all but the first pull of an image.
 */
import { median } from './figures.ts';
import { startGateServer } from './gate-process.ts';
import { percentile, warmPulls } from './pulls-in-turn.ts';

const pairs = Number(process.argv[2] ?? 5_000);

await using server = await startGateServer();
const { url, findings, platforms } = server;

async function row(title: string, name: string): Promise<void> {
  const at = (folder: string) => `${url}/v2/${folder}/${name}/manifests/1`;
  const taken = await warmPulls([at('off'), at('enforce')], { pairs });
  const cell = (values: number[]) =>
    `${median(values).toFixed(2)} (${percentile(values, 0.95).toFixed(2)})`;
  const [off, enforce] = [taken.map(({ one }) => one), taken.map(({ other }) => other)];
  const more = median(taken.map(({ one, other }) => other - one)).toFixed(2);
  process.stdout.write(`| ${title} | ${cell(off)} | ${cell(enforce)} | ${more} |\n`);
}

process.stdout.write('| manifest | `off` | `enforce` | more |\n|---|---|---|---|\n');
await row(`image with ${findings} findings`, 'image');
await row(`index of ${platforms} such images`, 'index');
