/** The values files of the chart, and how a test renders them. */
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import { kubernetesTools, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { CHART, objectsOf, type Rendered } from '../../support/helm-chart.ts';

export const FILES = globSync('*-values.yaml', { cwd: join(CHART, 'ci') })
  .map((file) => file.replace('-values.yaml', ''))
  .toSorted();

export interface Helm extends AsyncDisposable {
  /** By a values file, and `--set` for each of `sets`. */
  render(file: string, ...sets: string[]): Promise<string>;
  objects(file: string, ...sets: string[]): Promise<Rendered[]>;
  /** With other arguments, and with values of the test in addition to the required ones. */
  call(command: string[], values?: object): Promise<string>;
}

const REQUIRED = {
  database: { existingSecret: 'portcullis-database' },
  redis: { existingSecret: 'portcullis-redis' },
};

export async function openHelm(): Promise<Helm> {
  const { helm } = await kubernetesTools();
  const dir: TemporaryDir = await temporaryDir();
  const render = (file: string, ...sets: string[]) => {
    const values = ['-f', join(CHART, 'ci', `${file}-values.yaml`)];
    const flags = sets.flatMap((each) => ['--set', each]);
    return run(helm, ['template', 'rel', CHART, '--namespace', 'prod', ...values, ...flags]);
  };
  return {
    render,
    objects: async (file, ...sets) => objectsOf(await render(file, ...sets)),
    async call(command, values = {}) {
      const file = join(dir.path, `${crypto.randomUUID()}.json`);
      await writeFile(file, JSON.stringify({ ...REQUIRED, ...values }));
      return run(helm, [...command, 'rel', CHART, '--namespace', 'prod', '-f', file]);
    },
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
