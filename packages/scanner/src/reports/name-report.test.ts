import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { nameReport } from './name-report.ts';

const NAME = {
  registry: 'docker.io',
  repository: 'library/nginx',
  tag: '1.29',
  digest: `sha256:${'a'.repeat(64)}`,
};
const TITLE = `docker.io/library/nginx:1.29@${NAME.digest}`;
const OURS = `image@sha256:${'b'.repeat(64)}`;

async function named(report: object, tag: string | null = NAME.tag) {
  await using dir = await temporaryDir();
  await writeFile(join(dir.path, 'in'), JSON.stringify(report, null, 2));
  const name = { ...NAME, tag };
  await nameReport(join(dir.path, 'in'), join(dir.path, 'out'), {
    name,
    manifest: 'sha256:c',
    config: 'sha256:d',
  });
  return JSON.parse(await readFile(join(dir.path, 'out'), 'utf8'));
}

it('a report has the name, the digest and the id of the image that was pulled', async () => {
  const report = {
    ArtifactID: OURS,
    ArtifactName: OURS,
    Metadata: { Size: 1, ImageID: 'sha256:e' },
  };
  expect(await named(report)).toEqual({
    ArtifactID: 'sha256:d',
    ArtifactName: TITLE,
    Metadata: {
      Size: 1,
      ImageID: 'sha256:d',
      RepoTags: ['docker.io/library/nginx:1.29'],
      RepoDigests: ['docker.io/library/nginx@sha256:c'],
    },
  });
  expect((await named(report, null)).Metadata.RepoTags).toEqual([]);
});

it('the targets of results are named, and nothing else of them changes', async () => {
  const quoted = `\n      "Target": "${OURS} (debian 12)"`;
  const packages = Array.from({ length: 5_000 }, (_, n) => ({
    Name: `π ${n}`,
    Target: `${OURS} (x)`,
    quoted,
  }));
  const Results = [
    { Target: `${OURS} (debian 12.5)`, Packages: packages },
    { Target: 'Node.js' },
    { Target: `${OURS} (alpine 3)` },
    { Target: 'image@home/app' },
  ];
  const report = await named({ ArtifactName: OURS, Results });
  expect(report.Results).toEqual([
    { Target: `${TITLE} (debian 12.5)`, Packages: packages },
    { Target: 'Node.js' },
    { Target: `${TITLE} (alpine 3)` },
    { Target: 'image@home/app' },
  ]);
});
