/** docker-compose.yml hands each process the settings that it reads. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../tools/config-reference/configuration-reference.ts';

/**
 * Variables that the images set and operators do not change: paths, and the targets of health
 * checks.
 */
const OF_THE_IMAGES = [
  ...['APP_VERSION', 'APP_COMMIT', 'DATA_DIR', 'WEB_DIR', 'HOST', 'PORT'],
  ...['HEARTBEAT_FILE', 'TRIVY_PATH', 'REGISTRY_BINARY'],
];

interface Composed {
  services: Record<string, { environment: Record<string, string> }>;
}

const file = path.join(import.meta.dirname, '../../docker-compose.yml');
const { services }: Composed = parse(readFileSync(file, 'utf8'), { merge: true });
const known = variables();

/** A secret is the content of a file. */
const settingOf = (name: string) => (known.has(name) ? name : name.replace(/_FILE$/, ''));

it.each(['api', 'worker', 'notifier'])(
  '%s gets every variable that it reads, and no other',
  (name) => {
    const read = [...known]
      .filter(([each, { readers }]) => readers.includes(name) && !OF_THE_IMAGES.includes(each))
      .map(([each]) => each);
    const given = Object.keys(services[name]?.environment ?? {}).map(settingOf);
    expect([...new Set(given)].toSorted()).toEqual(read.toSorted());
  },
);
