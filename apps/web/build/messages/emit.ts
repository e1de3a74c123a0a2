/** Writes a parsed message as an expression of TypeScript that calls src/i18n/count.ts. */
import type { Choice, Part } from './parse.ts';

/** The helpers, by their names in the modules; no parameter has a `$`. */
export const HELPERS = { $count: 'counter', $choose: 'chooser', $number: 'numberIn' } as const;

export function emit(parts: readonly Part[]): string {
  const [first = '', ...rest] = parts;
  if (rest.length > 0) return `\`${parts.map(emitInTemplate).join('')}\``;
  return typeof first === 'string' ? JSON.stringify(first) : emitPart(first);
}

function emitInTemplate(part: Part): string {
  if (typeof part === 'string') return part.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&');
  return `\${${emitPart(part)}}`;
}

function emitPart(part: Exclude<Part, string>): string {
  if ('options' in part) return emitChoice(part);
  return part.is === 'number' ? `$number(${part.name})` : part.name;
}

/** A comparison for each option that is a value, then the plural forms or `other`. */
function emitChoice({ is, name, options }: Choice): string {
  const cases = [...options].flatMap(([option, parts]) => {
    const value = comparedWith(is, option);
    return value === null ? [] : [`${name} === ${value} ? ${emit(parts)} : `];
  });
  const other = options.get('other') ?? [];
  const one = is === 'plural' ? options.get('one') : undefined;
  return cases.join('') + (one ? emitForms(name, one, other) : emit(other));
}

function comparedWith(is: Choice['is'], option: string): string | null {
  if (is === 'select') return option === 'other' ? null : JSON.stringify(option);
  return option.startsWith('=') ? option.slice(1) : null;
}

function emitForms(name: string, one: readonly Part[], other: readonly Part[]): string {
  const counted = [one, other].map((parts) => afterNumber(parts, name));
  return counted.includes(null)
    ? `$choose(${name}, ${emit(one)}, ${emit(other)})`
    : `$count(${name}, ${counted.map((parts) => emit(parts ?? [])).join(', ')})`;
}

/** What follows the number and a space; null if the form does not begin with both. */
function afterNumber(parts: readonly Part[], name: string): readonly Part[] | null {
  const [first, second, ...rest] = parts;
  const isNumber = typeof first === 'object' && first.is === 'number' && first.name === name;
  if (!isNumber || typeof second !== 'string' || !second.startsWith(' ')) return null;
  return second === ' ' ? rest : [second.slice(1), ...rest];
}
