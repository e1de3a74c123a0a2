/** Compares entries with the typed text. */

/** Without accents and in lower case, so that "reseau" finds "Réseau". */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Whether each typed word is a part of the text. */
export function matches(text: string, typed: string): boolean {
  const found = plain(text);
  return plain(typed)
    .split(/\s+/)
    .every((word) => found.includes(word));
}
