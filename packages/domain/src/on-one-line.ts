/**
 * Text that others chose, without the characters that end a line, act on a terminal or are not
 * shown; one of them in a warning makes an API server drop it in silence (knative/pkg #2581).
 */
export function onOneLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
