/**
 * `npm run bench lists`: times the first page of each list over tables of 10,000 rows, as the api
 * serves it to an administrator, and to a reviewer of 3 of 50 folders. Prints a table for
 * docs/benchmarks.md, in which what is slower than the aim is marked.
 */
import { type Client, startApi } from '../../apps/api/src/api.fixture.ts';
import { AIMS, marked } from './aims.ts';
import { watchCpu } from './cpu.ts';
import { median } from './figures.ts';
import { feed, fill } from './list-rows.ts';

const READABLE = 3;
const ROUNDS = 25;

const LISTS = {
  'vulnerabilities, by risk (default)': '/api/vulnerabilities?limit=50',
  'vulnerabilities, by severity': '/api/vulnerabilities?limit=50&sort=-severity',
  'vulnerabilities, new since yesterday': `/api/vulnerabilities?limit=50&since=${new Date(Date.now() - 86_400_000).toISOString()}`,
  'vulnerabilities, by a part of a package': '/api/vulnerabilities?limit=50&q=package-12',
  'review requests, to decide': '/api/reviews?limit=50&to_decide=true',
  'review requests, all': '/api/reviews?limit=50',
  'review requests, by words': '/api/reviews?limit=50&q=app-47',
  'review requests, how many': '/api/reviews/count',
  'waivers, requested': '/api/waivers?limit=50&state=requested',
  jobs: '/api/staging/jobs?limit=50',
  'jobs, by words': '/api/staging/jobs?limit=50&q=app',
  repositories: '/api/images/__local__?page_size=50',
  'tags of a repository': '/api/images/__local__/tags?repository=team1/app-1',
  accounts: '/api/auth/users?limit=50',
};

/**
 * The median, and the CPU time of api, client and database for each request, which another load of
 * the machine changes less; none where the account may not.
 */
async function times(client: Client, path: string, database: string): Promise<string> {
  const each: number[] = [];
  await client.get(path);
  const spent = watchCpu({ pids: { api: process.pid }, database });
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const response = await client.get(path);
    const text = await response.text();
    each.push(performance.now() - began);
    if (response.status === 403) return '–';
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  }
  const cpu = Object.values(spent()).reduce((sum, ms) => sum + ms, 0) / ROUNDS;
  return `${marked(AIMS.list, median(each))}, ${cpu.toFixed(0)} ms`;
}

const api = await startApi();
try {
  await api.account('root', { isAdmin: true });
  const reviewer = await api.account('reviewer', { canBypassVulnBlock: true });
  for (let n = 1; n <= READABLE; n += 1) await api.grant(reviewer, `team${n}`, { canPull: true });
  await fill(api);
  await feed(api);
  const database = new URL(api.surroundings.env.DATABASE_URL ?? '').pathname.slice(1);
  const clients = [await api.as('root'), await api.as('reviewer')];
  process.stdout.write(
    `| list | administrator | reviewer of ${READABLE} folders |\n|---|---|---|\n`,
  );
  for (const [title, path] of Object.entries(LISTS)) {
    const cells: string[] = [];
    for (const client of clients) cells.push(await times(client, path, database));
    process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
  }
} finally {
  await api.stop();
}
