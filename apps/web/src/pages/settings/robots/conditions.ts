/** The conditions of a trust rule as lines of text: `claim = pattern, pattern`. */

type Conditions = Record<string, string[]>;

export function linesOf(conditions: Conditions): string {
  return Object.entries(conditions)
    .map(([claim, patterns]) => `${claim} = ${patterns.join(', ')}`)
    .join('\n');
}

/** The conditions, or the number of the first line that has another form. */
export function parseLines(text: string): { conditions: Conditions } | { wrongLine: number } {
  const conditions: Conditions = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, claim = '', values = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const patterns = values.split(/\s*,\s*/).filter((pattern) => pattern !== '');
    if (claim === '' || patterns.length === 0) return { wrongLine: index + 1 };
    conditions[claim] = [...(conditions[claim] ?? []), ...patterns];
  }
  return { conditions };
}
