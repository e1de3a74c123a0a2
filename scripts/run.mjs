/**
 * The commands: `npm start`, `npm test`, and `npm run` with each other name of `COMMANDS`. Runs on the machine's own Node, 18 or newer.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkPort } from './port.mjs';
import { NODE, ownEnv, prepare } from './prepare.mjs';
import { Failure, ROOT, runVisibly, say } from './process.mjs';
import { changeLane, nightLane } from './tests.mjs';

const COMMANDS = {
  start,
  demo,
  test: changeLane,
  'test:night': nightLane,
  bench,
  check,
  docs,
  bases,
  release,
  portcullis,
  containers,
  compose,
  kube,
  storm,
  rolling,
  interop,
  bare,
  screenshots,
};

async function main([name, ...args]) {
  const command = COMMANDS[name];
  if (!command)
    throw new Failure(
      `unknown command ${name ?? '(none)'}; there are ${Object.keys(COMMANDS).join(', ')}`,
    );
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 18)
    throw new Failure(
      `Node ${process.versions.node} is too old to start from; install Node 18 or newer, such as from https://nodejs.org or with nvm, and run it again: Node 24, which the product runs on, is then fetched by itself`,
    );
  await prepare(command === start ? () => checkPort(process.env) : undefined);
  return command(args);
}

/**
 * The product ends with this process. Only it gets our pid: what a test starts has another parent.
 */
function start(args) {
  process.env.PORTCULLIS_PARENT = String(process.pid);
  return ours('apps/standalone/src/main.ts', ...args);
}

/** The product with sample data, and its main job told in the terminal; `--remove` deletes it. */
function demo(args) {
  return ours('tools/demo/main.ts', ...args);
}

function bench([name, ...args]) {
  const alone = [
    'admission',
    'audit',
    'audit-events',
    'blobs',
    'browse',
    'garbage',
    'gate',
    'http',
    'identity',
    'lists',
    'mirror',
    'push-clients',
    'rejudge',
    'vulnerabilities',
    'rematch',
    'scale-out',
    'serve',
    'signatures',
    'smooth',
    'statements',
    'transfer',
    'verdicts',
    'weights',
  ].find((each) => each === name);
  return alone
    ? ours(`tools/bench/${alone}.ts`, ...args)
    : ours('tools/bench/main.ts', ...(name ? [name, ...args] : []));
}

async function check() {
  const lint = await ours('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings');
  if (lint !== 0)
    say(
      'biome found faults in style or lint: see above; `node_modules/.bin/biome check --write` mends most',
    );
  // Each checker of a project makes the types again: one, with a large heap, takes half of the time.
  process.env.GOGC ??= '400';
  const types = await ours('node_modules/typescript/bin/tsc', '-b', '--checkers', '1');
  if (types !== 0) say('the type check failed: see above');
  const unused = await ours('node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors');
  if (unused !== 0) say('unused files, exports or dependencies: see above, and knip.jsonc');
  const rules = await vitest('--project', 'unit', 'tests/rules');
  if (rules !== 0) say('a rule of the sources is broken: see above, and docs/writing.md');
  return lint || types || unused || rules;
}

/** Generates pages of docs/guide. */
async function docs() {
  const configuration = await ours('tools/config-reference/configuration-reference.ts');
  const faults = await ours('tools/config-reference/fault-reference.ts');
  return configuration || faults || ours('tools/config-reference/chart-values.ts');
}

/** Updates the digests of the base images. */
function bases(args) {
  return ours('scripts/bases-command.ts', ...args);
}

function release(args) {
  return ours('scripts/release/main.ts', ...args);
}

/** File arguments are relative to the caller's directory. */
function portcullis(args) {
  process.env.PORTCULLIS_CWD ??= process.env.INIT_CWD ?? process.cwd();
  return ours('apps/cli/src/main.ts', ...args);
}

/**
 * Builds and runs both images, and runs the main test on them. With `--platform linux/arm64` they
 * are built and inspected.
 */
async function containers(args) {
  if (args[0] !== '--platform') return (await images()) || mainJobOn('containers', args);
  process.env.IMAGE_PLATFORM = args[1];
  return ours('tests/deploy/containers/build.ts');
}

/**
 * Runs docker-compose.yml unchanged, with substitutes for the images it names: the main test on it,
 * a backup and a restore.
 */
async function compose(args) {
  return (await images()) || mainJobOn('compose', args, 'tests/deploy/compose.containers.test.ts');
}

const CHART_MODES = { shared: 'kube', perWorker: 'kube-workers', ephemeral: 'kube-workers' };

/**
 * Runs the chart's pods as rendered by helm, in each mode of its volumes or in the named one: the
 * main test on them, upgrades, lost workers, a backup and a restore.
 */
async function kube(args) {
  const [mode] = Object.keys(CHART_MODES).filter((each) => each === args[0]);
  const rest = mode === undefined ? args : args.slice(1);
  const built = await images();
  if (built !== 0) return built;
  for (const each of mode === undefined ? Object.keys(CHART_MODES) : [mode]) {
    const failed = await mainJobOn(
      `kube-${each}`,
      rest,
      `tests/deploy/${CHART_MODES[each]}.containers.test.ts`,
    );
    if (failed !== 0) return failed;
  }
  return 0;
}

/**
 * Random `kill -9` of everything under load: `--kills 200 --seed 7`. The tests do it with thirty.
 */
async function storm(args) {
  const tools = await testTools();
  return tools === 0 ? ours('tests/faults/storm/main.ts', ...args) : tools;
}

/** Runs an earlier release and this one concurrently on one database: `--from <commit>`. */
async function rolling(args) {
  const tools = await testTools();
  return tools === 0 ? ours('tests/deploy/rolling/main.ts', ...args) : tools;
}

/** Registries of other projects, as source and as target; writes docs/interoperability.md. */
function interop(args) {
  process.env.INTEROP_PAGE = 'write';
  return nightLane(['tests/interop', ...args]);
}

/**
 * Runs `npm start` and `npm test` on a Debian with only what the README requires: `start`, `test`,
 * or both.
 */
function bare(args) {
  return ours('tests/deploy/bare/main.ts', ...args);
}

/** Every page with example data: `screenshots FOLDER [PAGE...] [--look 1440-light-en]...`. */
async function screenshots(args) {
  const tools = await testTools();
  return tools === 0 ? ours('tests/support/screenshots.ts', ...args) : tools;
}

function images() {
  return ours('tests/deploy/containers/build.ts');
}

/** On the images; `more` are tests of this product only. */
function mainJobOn(product, args, ...more) {
  process.env.PRODUCT = product;
  const files = ['tests/main-job.int.test.ts', ...more];
  return vitest('--project', 'integration', '--project', 'containers', ...files, ...args);
}

function testTools() {
  return ours('packages/testing/src/main.ts');
}

function vitest(...args) {
  return ours('node_modules/vitest/vitest.mjs', 'run', ...args);
}

function ours(script, ...args) {
  if (!existsSync(join(ROOT, script))) throw new Failure(`${script} is missing in this checkout`);
  return runVisibly(NODE, [join(ROOT, script), ...args], ownEnv());
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  say(error.message);
  process.exitCode = 1;
}
