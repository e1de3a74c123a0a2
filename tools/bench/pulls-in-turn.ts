/** GETs of manifests from two folders, in turn, on one connection. */
import { Agent, get } from 'node:http';

const ACCEPT = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');
const authorization = `Basic ${Buffer.from('bench:pass-of-bench').toString('base64')}`;

/** Milliseconds until the whole manifest is there. */
function time(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    get(url, { agent, headers: { accept: ACCEPT, authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - started));
    }).once('error', reject);
  });
}

export interface Pair {
  one: number;
  other: number;
}

/** Each order as often, so that neither side gains by what the other left behind. */
async function pair(agent: Agent, urls: readonly [string, string], nth: number): Promise<Pair> {
  const [one, other] = urls;
  if (nth % 2 === 0) return { one: await time(agent, one), other: await time(agent, other) };
  const second = await time(agent, other);
  return { one: await time(agent, one), other: second };
}

export async function pullsInTurn(pairs: Iterable<readonly [string, string]>): Promise<Pair[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: Pair[] = [];
  for (const urls of pairs) taken.push(await pair(agent, urls, taken.length));
  agent.destroy();
  return taken;
}

/** The same pair each time; what the first ones take is left out. */
export async function warmPulls(
  urls: readonly [string, string],
  { warmUp = 500, pairs }: { warmUp?: number; pairs: number },
): Promise<Pair[]> {
  const taken = await pullsInTurn(Array.from({ length: warmUp + pairs }, () => urls));
  return taken.slice(warmUp);
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}
