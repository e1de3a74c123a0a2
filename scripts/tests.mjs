/**
 * The tests, in two lanes: `npm test` runs the unit tests and the integration tests that each
 * change must pass; `npm run test:night` runs the rest. docs/tests.md says what is where.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NODE, ownEnv } from './prepare.mjs';
import { ROOT, runBeside, runVisibly, say } from './process.mjs';
import { openRunFolder } from './run-folder.mjs';

const LONGEST = 10;

/**
 * The unit tests use what the others leave of the processor: tools are downloaded and built
 * meanwhile, and integration tests wait for leases, clients and pages.
 */
export function changeLane(args) {
  return inRunFolder(async (run) => {
    if (namesProject(args)) return (await run.tools(...lanesIn(args))) || run.vitest(args);
    say('the unit tests run beside what follows, and print when they end');
    const [unit, others] = await Promise.all([
      run.projectBeside('unit', args),
      run.tools().then(async (code) => {
        if (code !== 0)
          say('the integration tests are not run: their tools are not ready, see above');
        return code || run.project('integration', args);
      }),
    ]);
    run.summarize();
    return unit || others;
  });
}

export function nightLane(args) {
  return inRunFolder(async (run) => {
    const tools = await run.tools('night');
    if (tools !== 0) {
      say('the tests of the night were not run: their tools are not ready, see above');
      return tools;
    }
    const code = await run.project('night', args);
    run.summarize();
    return code;
  });
}

const namesProject = (args) => args.some((arg) => arg.startsWith('--project'));
const lanesIn = (args) => (args.some((arg) => /^(--project=)?night$/.test(arg)) ? ['night'] : []);

/**
 * All temporary files of the run are in one folder, by which its processes are known. A signal ends
 * vitest, whose exit code is returned; what is left after it is ended here.
 */
async function inRunFolder(work) {
  const folder = openRunFolder();
  try {
    return await work(openRun({ ...ownEnv(), TMPDIR: folder.path }));
  } finally {
    for (const process of await folder.end())
      say(`left running by the tests, and ended: ${process}`);
  }
}

function openRun(env) {
  const results = [];
  const node = (script, ...args) => runVisibly(NODE, [join(ROOT, script), ...args], env);
  const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const vitest = (args, how = runVisibly) => how(NODE, [VITEST, 'run', ...args], env);

  async function project(name, args, how) {
    const report = join(ROOT, 'node_modules', '.cache', `tests-${name}.json`);
    rmSync(report, { force: true });
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const options = ['--project', name, '--passWithNoTests', ...reporters];
    const code = await vitest([...options, ...args], how);
    const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
    results.push({ name, code, files });
    return code;
  }

  function summarize() {
    for (const line of longestFiles(results.flatMap(({ files }) => files))) say(line);
    const failures = results.flatMap(failuresOf);
    for (const each of failures) say(`failed: ${each}`);
    say(failures.length === 0 ? 'all tests passed' : `${failures.length} failed, named above`);
  }

  return {
    vitest: (args) => vitest(args),
    project: (name, args) => project(name, args),
    projectBeside: (name, args) => project(name, args, runBeside),
    summarize,
    tools: (...lane) => node('packages/testing/src/main.ts', ...lane),
  };
}

function longestFiles(files) {
  const longest = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, LONGEST)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${relative(ROOT, name)}`);
  return longest.length === 0 ? [] : ['the files that took longest:', ...longest];
}

function failuresOf({ name, code, files }) {
  if (code === 0) return [];
  const found = files
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: file, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const titles =
        tests.length > 0 ? tests.map(({ fullName }) => fullName) : ['(the whole file)'];
      return titles.map((title) => `${relative(ROOT, file)}: ${title}`);
    });
  return found.length > 0 ? found : [`${name} tests: an error outside of a test, see above`];
}
