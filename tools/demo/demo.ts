/** One run of the demonstration: the story on an empty installation, or a start of a told one. */
import { mkdir } from 'node:fs/promises';
import { describeExit, freePort, isFree, type Service } from '@portcullis/embedded';
import { type DemoDirs, removeDirs } from './dirs.ts';
import { ending } from './ending.ts';
import { productEnv } from './environment.ts';
import type { Narrator } from './narrator.ts';
import { startDemoProduct } from './product.ts';
import { Refusal } from './refusal.ts';
import { sampleImages } from './sample/images.ts';
import { pushSamples, type SampleSource, startSource } from './source.ts';
import { newLogins, readState, type State, writeState } from './state.ts';
import { tellStory } from './story/story.ts';

export interface DemoOptions {
  dirs: DemoDirs;
  env: NodeJS.ProcessEnv;
  tell: Narrator;
  /** Gets what has to be stopped, in the order of the starts. */
  running: AsyncDisposableStack;
}

interface RunningProduct {
  service: Service;
  url: string;
  hush(): void;
}

/** Resolves when there is nothing more to tell; the caller waits for the end of the service. */
export async function runDemo(options: DemoOptions): Promise<Service> {
  const { dirs, tell } = options;
  const before = await readState(dirs.state);
  if (before !== null && (await isFree(before.sourcePort))) return goOn(options, before);
  if (before !== null) tell.plain(`Port ${before.sourcePort} is taken: everything begins again.`);
  return begin(options);
}

async function begin(options: DemoOptions): Promise<Service> {
  const { dirs, tell } = options;
  await removeDirs(dirs);
  await mkdir(dirs.root, { recursive: true, mode: 0o700 });
  const images = await sampleImages();
  const source = await tell.step('A source registry with images made on this machine', async () => {
    const started = await startedSource(options, undefined);
    await pushSamples(started.url, images);
    tell.line(
      `${started.host} has ${images.length} sample images, a sample vulnerability database`,
    );
    tell.line('and sample threat feeds');
    return started;
  });
  const logins = newLogins();
  const product = await tell.step('Portcullis starts', () =>
    startedProduct(options, source, logins.administrator.password),
  );
  const { robot, pages } = await tellStory({ ...product, source, images, logins, tell });
  const state: State = { sourcePort: source.port, logins: { ...logins, robot }, pages };
  await writeState(dirs.state, state);
  tell.plain(ending({ ...state, url: product.url }));
  return product.service;
}

async function goOn(options: DemoOptions, state: State): Promise<Service> {
  const { tell } = options;
  const product = await tell.step('Portcullis starts, with the data of the last run', async () => {
    const source = await startedSource(options, state.sourcePort);
    return startedProduct(options, source, state.logins.administrator.password);
  });
  product.hush();
  tell.plain(ending({ ...state, url: product.url }));
  return product.service;
}

async function startedSource(
  { dirs, env, tell, running }: DemoOptions,
  port: number | undefined,
): Promise<SampleSource> {
  const source = await startSource({ dirs, env, port, log: tell.quoted });
  running.defer(() => source.service.stop());
  return source;
}

/** That of `npm start`. */
const PORT = 8080;

async function startedProduct(
  { dirs, env, tell, running }: DemoOptions,
  source: SampleSource,
  adminPassword: string,
): Promise<RunningProduct> {
  const wanted = Number(env.PORT);
  const port = await freePort(wanted > 0 ? wanted : PORT);
  const { service, ready, hush } = await startDemoProduct({
    dirs,
    env: productEnv(env, { port, dataDir: dirs.dataDir, adminPassword, source }),
    log: tell.quoted,
  });
  running.defer(() => service.stop());
  const exit = await Promise.race([ready, service.exited]);
  if (exit !== undefined)
    throw new Refusal(
      `Portcullis can't start (${describeExit(exit)}); ${dirs.log} has the rest:\n${service.tail()}`,
    );
  return { service, hush, url: `http://127.0.0.1:${port}` };
}
