/** Code compares no text for people, a factory names its ports, and comments say who acts. */
import { describe, expect, it } from 'vitest';
import { type SourceFile, shipped } from './sources.ts';

interface Rule {
  name: string;
  broken: RegExp;
  /** Files that may compare texts of third parties, because these have no code; with the reason. */
  allowed: Readonly<Record<string, string>>;
}

const RULES: readonly Rule[] = [
  {
    name: 'no message, note or title is compared, matched or split',
    broken:
      /\.(?:message|note|title)\s*(?:[!=]==\s*['"`]|\.(?:includes|startsWith|endsWith|match|split|test)\()|\.test\([\w.]*\.(?:message|note|title)\)|\bnote\s*[!=]==\s*['"`]/,
    allowed: {
      'packages/command/src/arguments.ts':
        'node:util parseArgs explains a fault in its first sentence',
      'packages/events/src/stream/group.ts': 'Redis begins an error with its code',
      'packages/runtime/src/redis/family.ts': 'Redis begins an error with its code',
      'packages/runtime/src/redis/fault.ts': 'ioredis has words for Sentinels, and no code',
    },
  },
  {
    name: 'no factory is handed a spread of deps, ports, shared or parts',
    broken: /\b(?:create|open|recurring|compose)\w*\(\{[^}]*\.\.\.(?:deps|ports|shared|parts)\b/,
    allowed: {},
  },
  {
    name: 'a comment says who acts',
    broken: /^\s*(?:\/?\*|\/\/).*(?<!`)\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b(?!`)/m,
    allowed: {},
  },
];

describe.each(RULES)('$name', ({ broken, allowed }) => {
  const breaks = shipped.filter(({ text }) => broken.test(text));

  it('holds', () => {
    expect(breaks.filter(({ file }) => !(file in allowed)).map(whereOf(broken))).toEqual([]);
  });

  it('needs each of its exceptions', () => {
    const files = new Set(breaks.map(({ file }) => file));
    expect(Object.keys(allowed).filter((file) => !files.has(file))).toEqual([]);
  });
});

/** The file and the line on which a break begins. */
function whereOf(broken: RegExp) {
  return ({ file, text }: SourceFile) =>
    `${file}:${text.slice(0, text.search(broken)).split('\n').length}`;
}
