/**
 * `npm run bare`: `npm start` and `npm test` on a bare Debian, in a root file system with only
 * nodejs, npm, git and ca-certificates, as an ordinary user and as root, each in a clean clone of
 * HEAD. `start` is the first start and the main job, `demo` the demonstration, and `test` runs the
 * tests with vitest's arguments. `--as user|root` selects one account, and `--fresh` recreates the
 * root and its caches.
 */
import { ACCOUNTS, type Account } from './definition.ts';
import { enter, type RootDirs, unavailableReason } from './enter.ts';
import { alone, bareRoot, createClone, hasChanges } from './root.ts';

const say = (text: string) => process.stderr.write(`[bare] ${text}\n`);

interface Done {
  what: string;
  seconds: number;
  /** Null on success. */
  fault: string | null;
}
const done: Done[] = [];

/** Logs a step and records its duration. @throws what `work` throws */
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  say(`${what} …`);
  const from = Date.now();
  const keep = (fault: string | null) =>
    done.push({ what, seconds: (Date.now() - from) / 1000, fault });
  try {
    const result = await work();
    keep(null);
    return result;
  } catch (error) {
    keep(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

async function inRoot(
  place: RootDirs,
  account: Account,
  cwd: string,
  ...command: string[]
): Promise<void> {
  const code = await enter(place, { account, cwd, command });
  if (code !== 0) throw new Error(`exit status ${code}`);
}

const MAIN_JOB = ['--project', 'integration', 'tests/main-job.int.test.ts'];

interface Walk {
  place: RootDirs;
  account: Account;
  parts: readonly string[];
  vitest: readonly string[];
}

async function walk({ place, account, parts, vitest }: Walk): Promise<void> {
  const as = `as ${account}`;
  const clone = await step(`${as}: a clean clone of HEAD`, () => createClone(place, account));
  const here = (...command: string[]) => inRoot(place, account, clone, ...command);
  if (parts.includes('start')) {
    const first = 'npm start, the first login, SIGTERM to npm';
    await step(`${as}: ${first}`, () => here('node', 'tests/deploy/bare/first-start.mjs'));
    await step(`${as}: the main job`, () => here('npm', 'test', '--', ...MAIN_JOB));
  }
  if (parts.includes('demo')) {
    const story = 'npm run demo, each link, SIGTERM to npm';
    await step(`${as}: ${story}`, () => here('node', 'tests/deploy/bare/demo.mjs'));
  }
  if (parts.includes('test')) {
    const given = vitest.length > 0 ? ['--', ...vitest] : [];
    await step(`${as}: npm test ${vitest.join(' ')}`, () => here('npm', 'test', ...given));
  }
}

const PARTS = ['start', 'demo', 'test'] as const;

interface Options {
  parts: readonly string[];
  accounts: readonly Account[];
  fresh: boolean;
  vitest: string[];
}

function optionsOf(given: readonly string[]): Options {
  const args = [...given];
  const part = PARTS.find((name) => name === args[0]);
  if (part !== undefined) args.shift();
  const fresh = args.includes('--fresh');
  const at = args.indexOf('--as');
  const named = at < 0 ? null : args[at + 1];
  const accounts = ACCOUNTS.filter((account) => named === null || account === named);
  if (accounts.length === 0) throw new Error('--as is user or root');
  const vitest = args.filter(
    (arg, index) => arg !== '--fresh' && (at < 0 || (index !== at && index !== at + 1)),
  );
  return { parts: part === undefined ? PARTS : [part], accounts, fresh, vitest };
}

async function main(): Promise<void> {
  const { accounts, fresh, ...rest } = optionsOf(process.argv.slice(2));
  const obstacle = await unavailableReason();
  if (obstacle !== null) throw new Error(obstacle);
  if (await hasChanges()) say('what is not committed in this checkout is not in the clone');
  await alone(async () => {
    const place = await step('a bare root file system', () => bareRoot({ fresh, say }));
    for (const account of accounts) await walk({ place, account, ...rest });
  }, say);
}

try {
  await main();
} catch (error) {
  say(`failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
for (const { what, seconds, fault } of done)
  say(`${seconds.toFixed(1).padStart(8)} s  ${what}${fault === null ? '' : `: FAILED, ${fault}`}`);
