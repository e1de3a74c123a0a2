/**
 * `node collect.mjs OUT app…`: collects what an image of these apps contains, from the workspace in
 * the current folder. OUT/manifests: package manifests to install dependencies from, so that a
 * change of code alone installs nothing again. OUT/sources: the code of the apps and of the
 * packages they use. Workspace packages must not be below node_modules (where `pnpm deploy` would
 * put them): Node strips no types there.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORKSPACE = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const FOR_TESTS = /\.(?:test|fixture|contract)\.ts$|\/golden(?:\/|$)/;

function manifest(place) {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
}

/** The directories of the apps and of all workspace packages that they use, directly or not. */
function closure(places, found = new Set()) {
  for (const place of places) {
    if (found.has(place)) continue;
    found.add(place);
    const ours = Object.keys(manifest(place).dependencies ?? {}).filter((name) =>
      name.startsWith('@portcullis/'),
    );
    closure(
      ours.map((name) => join('packages', name.slice('@portcullis/'.length))),
      found,
    );
  }
  return [...found].sort();
}

function copy(from, to) {
  cpSync(from, to, { recursive: true, filter: (path) => !FOR_TESTS.test(path) });
}

const [out, ...apps] = process.argv.slice(2);
for (const file of WORKSPACE) copy(file, join(out, 'manifests', file));
for (const place of closure(apps.map((app) => join('apps', app)))) {
  copy(join(place, 'package.json'), join(out, 'manifests', place, 'package.json'));
  if (existsSync(join(place, 'src'))) copy(join(place, 'src'), join(out, 'sources', place, 'src'));
}
copy(join('prisma', 'migrations'), join(out, 'sources', 'prisma', 'migrations'));
mkdirSync(join(out, 'data'));
