/**
 * What commands print may come from an image: names and versions of its packages, its labels, the
 * messages of another registry. A terminal must not act on them, and a pipeline must not find one
 * of its commands in them.
 */

/** Controls, formats such as the direction of text, and separators of lines. */
const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of text; the command adds the line breaks. */
export function plainLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\uFFFD');
}

export function plainLines(lines: readonly string[]): string {
  return lines.map(plainLine).join('\n');
}

/** A text of several lines that is not made of what others wrote, such as the stack of an error. */
export function plainText(text: string): string {
  return plainLines(text.split('\n'));
}

/** The same value to a parser. */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
