/** A `Warning` header, which clients that show warnings print (distribution spec § Warnings). */
const MOST_CHARACTERS = 200;

export function warningOf(text: string): string {
  return `299 - "${text.replaceAll(/[^\x20-\x7e]|["\\]/g, '').slice(0, MOST_CHARACTERS)}"`;
}
