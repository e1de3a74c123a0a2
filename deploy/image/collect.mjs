/**
 * `node collect.mjs OUT app…`: what an image of these apps holds, of the workspace that stands in the current folder.
 * OUT/manifests: what their dependencies are installed from, so that a change of code alone installs nothing anew.
 * OUT/sources: their code and that of the packages they use. Workspace packages must not lie below node_modules (as
 * `pnpm deploy` would put them): Node strips no types there.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORKSPACE = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const FOR_TESTS = /\.(?:test|fixture|contract)\.ts$|\/golden(?:\/|$)/;

function manifest(place) {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
}

/** The places of the apps and of every package of ours that they use, by whatever way. */
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
