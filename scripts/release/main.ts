/** `npm run release -- <step>`: the steps of docs/release.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acquirePinned, cacheDir, run } from '@portcullis/embedded';
import { createTransport, type Transport } from '@portcullis/oci/remote';
import { TRIVY_PROGRAM } from '@portcullis/scanner';
import { readBases } from '../bases-command.ts';
import { buildArguments } from './build-arguments.ts';
import { released, sectionOf } from './changelog.ts';
import { type ReleaseFacts, releaseFaults } from './check.ts';
import { packageChart, packCommand, signSums, verifySums, writeSums, wrongFiles } from './files.ts';
import { attachAll, buildImages, missingOf, type ReleasedImage } from './images.ts';
import { isVersion, VERSION_PLACES, versionsIn, withVersion } from './versions.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHART = 'deploy/helm/portcullis';
const PCS = 'apps/pcs';
const at = (file: string) => path.join(ROOT, file);
/** Relative to the caller's directory: `npm run` starts us in the checkout. */
const given = (file: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), file);
const read = (file: string) => readFileSync(at(file), 'utf8');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const USAGE = `npm run release -- <step>
  version 0.2.0                  writes the version where it stands, and its section in CHANGELOG.md
  check                          says what keeps the checked out commit from being released
  notes                          prints the section of the version in CHANGELOG.md
  build ghcr.io/OWNER DIR        builds and pushes both images; DIR/images.json has their digests
  attach DIR                     attaches SBOM and provenance to the images of DIR/images.json
  files DIR                      adds the chart, pcs, and SHA256SUMS over everything in DIR
  sign DIR KEY                   signs SHA256SUMS with a key of OpenSSH
  verify DIR SIGNERS IDENTITY    checks signature and checksums, and what the registry has
A login for the registry: REGISTRY_USERNAME and REGISTRY_PASSWORD.`;

type Step = (...args: string[]) => Promise<string[]>;

/** Each returns its faults; empty on success. */
const STEPS: Record<string, Step> = { version, check, notes, build, attach, files, sign, verify };

async function version(next = ''): Promise<string[]> {
  if (!isVersion(next)) return [`${next || 'nothing'} is no semantic version`];
  for (const [file, text] of withVersion(placeTexts(), next)) writeFileSync(at(file), text);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(at('CHANGELOG.md'), released(read('CHANGELOG.md'), next, today));
  return [];
}

async function check(): Promise<string[]> {
  return releaseFaults(await facts());
}

async function notes(): Promise<string[]> {
  const { VERSION } = await buildArguments();
  const section = sectionOf(read('CHANGELOG.md'), VERSION);
  if (section === null) return [`CHANGELOG.md has no section [${VERSION}]`];
  say(section);
  return [];
}

async function build(prefix = '', folder = ''): Promise<string[]> {
  if (!prefix || !folder) return ['give the registry with the owner, and a directory'];
  const dir = given(folder);
  mkdirSync(dir, { recursive: true });
  writeImages(dir, await buildImages(prefix, await buildArguments(), ROOT));
  return [];
}

async function attach(folder = '.'): Promise<string[]> {
  const dir = given(folder);
  const { VERSION, REVISION } = await buildArguments();
  const source: string = JSON.parse(read('package.json')).repository.url;
  const build = {
    version: VERSION,
    commit: REVISION,
    source,
    bases: readBases(),
    builder: builder(),
  };
  const trivy = await scanner();
  const images = await withRegistry(async (registry) => {
    const done: ReleasedImage[] = [];
    for (const image of readImages(dir))
      done.push(await attachAll(image, { ...registry, trivy, dir, build }));
    return done;
  });
  writeImages(dir, images);
  return [];
}

async function files(folder = '.'): Promise<string[]> {
  const dir = given(folder);
  await packageChart('helm', at(CHART), (await buildArguments()).VERSION, dir);
  await packCommand(at(PCS), dir);
  for (const name of await writeSums(dir)) say(name);
  return [];
}

async function sign(dir = '.', key = ''): Promise<string[]> {
  if (!key) return ['give the key'];
  await signSums(given(dir), given(key));
  return [];
}

async function verify(folder = '.', signers = '', identity = ''): Promise<string[]> {
  const dir = given(folder);
  await verifySums(dir, given(signers), identity);
  const wrong = await wrongFiles(dir);
  if (wrong.length > 0) return wrong;
  const missing = await withRegistry((registry) =>
    Promise.all(readImages(dir).map((image) => missingOf(image, registry))),
  );
  return missing.flat();
}

const imagesFile = (dir: string) => path.join(dir, 'images.json');
const readImages = (dir: string): ReleasedImage[] =>
  JSON.parse(readFileSync(imagesFile(dir), 'utf8'));
const writeImages = (dir: string, images: ReleasedImage[]) =>
  writeFileSync(imagesFile(dir), `${JSON.stringify(images, null, 2)}\n`);

function placeTexts(): Map<string, string> {
  return new Map(VERSION_PLACES.map(({ file }) => [file, read(file)]));
}

async function facts(): Promise<ReleaseFacts> {
  const git = (...args: string[]) => run('git', args, { cwd: ROOT, env: process.env });
  return {
    versions: versionsIn(placeTexts()),
    changelog: read('CHANGELOG.md'),
    bases: readBases(),
    changes: (await git('status', '--porcelain')).trim(),
    tags: (await git('tag', '--points-at', 'HEAD')).split('\n').filter(Boolean),
  };
}

/** The run of GitHub's CI, where it is one. */
function builder(): { id: string; invocation: string } {
  const { GITHUB_SERVER_URL, GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, GITHUB_RUN_ID } = process.env;
  if (!GITHUB_WORKFLOW_REF)
    return { id: 'urn:portcullis:local-machine', invocation: new Date().toISOString() };
  const run = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  return { id: `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`, invocation: run };
}

async function scanner(): Promise<string> {
  const given = process.env.TRIVY_PATH;
  const options = { cacheDir: cacheDir(process.env), env: process.env, given };
  return (await acquirePinned(TRIVY_PROGRAM, options)).path;
}

async function withRegistry<T>(work: (registry: Registry) => Promise<T>): Promise<T> {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, REGISTRY_USERNAME, REGISTRY_PASSWORD } = process.env;
  const transport = createTransport({ proxy: { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } });
  const credentials =
    REGISTRY_USERNAME && REGISTRY_PASSWORD
      ? { username: REGISTRY_USERNAME, password: REGISTRY_PASSWORD }
      : undefined;
  try {
    return await work({ transport, credentials });
  } finally {
    await transport.close();
  }
}

interface Registry {
  transport: Transport;
  credentials: { username: string; password: string } | undefined;
}

const [name = '', ...args] = process.argv.slice(2);
const step = STEPS[name];
if (!step) {
  say(USAGE);
  process.exitCode = 2;
} else {
  const faults = await step(...args).catch((error) => [
    error instanceof Error ? error.message : String(error),
  ]);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
