/** Compiles src/locales to src/locales/generated: `node --run messages`. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, type Language } from '../../src/i18n/languages.ts';
import { compile } from './compile.ts';

const LOCALES = path.resolve(import.meta.dirname, '../../src/locales');
const GENERATED = path.join(LOCALES, 'generated');

function areasOf(language: Language): ReadonlyMap<string, string> {
  const cwd = path.join(LOCALES, language);
  const files = globSync('**/*.json', { cwd }).sort();
  return new Map(
    files.map((file) => [
      file.replaceAll(path.sep, '/').replace(/\.json$/, ''),
      readFileSync(path.join(cwd, file), 'utf8'),
    ]),
  );
}

function writeModules(modules: ReadonlyMap<string, string>): void {
  rmSync(GENERATED, { recursive: true, force: true });
  for (const [file, text] of modules) {
    mkdirSync(path.dirname(path.join(GENERATED, file)), { recursive: true });
    writeFileSync(path.join(GENERATED, file), text);
  }
}

const languages = Object.keys(LANGUAGES) as Language[];
const { modules, faults } = compile(new Map(languages.map((each) => [each, areasOf(each)])));
for (const fault of faults) process.stderr.write(`apps/web/src/locales/${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else writeModules(modules);
