/** The part of a text for which people search: `%`, `_` and `\` in it are these characters. */

const escapePattern = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`);

/** For `LIKE` and `ILIKE`. */
export function likePattern(text: string): string {
  return `%${escapePattern(text)}%`;
}

/** For Prisma, which does not escape what it is given; in any case. */
export function contains(text: string) {
  return { contains: escapePattern(text), mode: 'insensitive' } as const;
}

/** As `likePattern`, for a beginning. */
export function beginPattern(text: string): string {
  return `${escapePattern(text)}%`;
}

/** As `contains`, for a beginning. */
export function startsWith(text: string) {
  return { startsWith: escapePattern(text), mode: 'insensitive' } as const;
}
