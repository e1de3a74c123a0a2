/** Builds the package for publication in `build/`: JavaScript, declarations and a package.json. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGE = resolve(import.meta.dirname, '..');
const BUILD = join(PACKAGE, 'build');
const TSC = resolve(PACKAGE, '../../node_modules/.bin/tsc');

rmSync(BUILD, { recursive: true, force: true });
execFileSync(TSC, ['-p', 'tsconfig.build.json'], { cwd: PACKAGE, stdio: 'inherit' });
const {
  private: _,
  scripts: __,
  exports,
  ...manifest
} = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const built = Object.entries<string>(exports).map(([entry, source]) => {
  const stem = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
  return [entry, { types: `${stem}.d.ts`, default: `${stem}.js` }];
});
const published = { ...manifest, exports: Object.fromEntries(built) };
writeFileSync(join(BUILD, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
cpSync(join(PACKAGE, 'README.md'), join(BUILD, 'README.md'));
cpSync(resolve(PACKAGE, '../../LICENSE'), join(BUILD, 'LICENSE'));
