/** Writes messages as a module of TypeScript, in which each is a string or a function. */
import type { Language } from '../../src/i18n/languages.ts';
import { emit, HELPERS } from './emit.ts';
import type { Part } from './parse.ts';
import { type Group, isFilledByName, isGroup, type Message, nameOf } from './read.ts';

/** Read by a name of the server, which may be newer than the page. */
const READ_BY_CODE = new Set([
  'fault.codes',
  'jobFault',
  'oidcTest.faults',
  'system.checks',
  'system.databaseFaults',
  'system.parts',
  'system.queueNames',
]);

/** @param groups by the names of their exports */
export function moduleOf(language: Language, groups: Group): string {
  const body = [...groups]
    .map(([name, group]) => `export const ${name} = ${entry(name, group)};\n`)
    .join('\n');
  const used = Object.entries(HELPERS).filter(([name]) => body.includes(`${name}(`));
  const helpers = used.map(([name, helper]) => `const ${name} = ${helper}('${language}');\n`);
  return [
    '// Generated from the JSON files of this language by apps/web/build/messages.\n',
    used.length > 0 &&
      `import { ${used.map(([, helper]) => helper).join(', ')} } from '../../../i18n/count.ts';\n`,
    helpers.length > 0 && `\n${helpers.join('')}`,
    `\n${body}`,
  ]
    .filter((each) => each !== false)
    .join('');
}

function entry(path: string, value: Message | Group): string {
  if (!isGroup(value)) return isFilledByName(path) ? template(value.parts) : message(value);
  const lines = [...value].map(([key, each]) => {
    const name = nameOf(key);
    return `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${entry(`${path}.${name}`, each)},\n`;
  });
  const type = READ_BY_CODE.has(path) ? ' as Readonly<Record<string, string>>' : '';
  return `{\n${lines.join('')}}${type}`;
}

function message({ parts, parameters }: Message): string {
  if (parameters.size === 0) return emit(parts);
  const typed = [...parameters].map(([name, type]) => `${name}: ${type}`);
  return `(${typed.join(', ')}) => ${emit(parts)}`;
}

function template(parts: readonly Part[]): string {
  return JSON.stringify(
    parts.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join(''),
  );
}
