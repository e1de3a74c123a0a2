/**
 * Validates the settings of `npm start` and of every process that it starts, before anything is
 * started.
 */
import { readConfig as readApi } from '@portcullis/api/config';
import { readConfig as readNotifier } from '@portcullis/notifier/config';
import { type Env, readAll, readSecretFiles } from '@portcullis/runtime';
import { readConfig as readWorker } from '@portcullis/worker/config';
import { type Config, readConfig } from './config.ts';

/** Placeholders for the addresses of embedded services, which are chosen later. */
const CHOSEN_LATER = {
  DATABASE_URL: 'postgresql://127.0.0.1/portcullis',
  REDIS_URL: 'redis://127.0.0.1',
  REGISTRY_URL: 'http://127.0.0.1',
};

/** @throws invalid with the faults of all processes */
export function readSettings(env: Env): Config {
  const theirs = processEnv(env);
  const { start } = readAll({
    start: () => readConfig(env),
    api: () => readApi(theirs),
    worker: () => readWorker(theirs),
    notifier: () => readNotifier(theirs),
  });
  return start;
}

/** The environment as the processes get it. */
function processEnv(env: Env): Env {
  const { DATABASE_URL_FILE, REDIS_URL_FILE, REGISTRY_URL_FILE, ...given } = withServices(env);
  const chosen = Object.entries(CHOSEN_LATER).filter(([name]) => !given[name]);
  return { ...given, ...Object.fromEntries(chosen) };
}

/** `readConfig` reports files that cannot be read. */
function withServices(env: Env): Env {
  try {
    return readSecretFiles(env, Object.keys(CHOSEN_LATER));
  } catch {
    return env;
  }
}
