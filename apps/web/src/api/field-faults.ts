/** The messages of field faults: by code, in the user's language, with their parameters. */
import type { FaultParams, FieldFault } from '@portcullis/contract';

/** A code that the page does not know (of another server version) keeps its English message. */
export function fieldFault(
  { code, params, message }: FieldFault,
  words: Readonly<Record<string, string>>,
): string {
  const known = Object.hasOwn(words, code) ? words[code] : undefined;
  return known === undefined ? message : filled(known, params);
}

function filled(words: string, params: FaultParams): string {
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
