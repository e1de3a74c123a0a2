/** Reports where the catalogue of a language differs from English in more than its words. */
import { type Entry, type Group, isGroup, type Message, type Report } from './read.ts';

export function compare(english: Group, other: Group, report: Report, path = ''): void {
  for (const key of new Set([...english.keys(), ...other.keys()])) {
    const inner = path === '' ? key : `${path}.${key}`;
    const [ours, theirs] = [english.get(key), other.get(key)];
    if (theirs === undefined) report(inner, 'this is missing');
    else if (ours === undefined) report(inner, 'English does not have this');
    else compareEntries(ours, theirs, report, inner);
  }
}

function compareEntries(ours: Entry, theirs: Entry, report: Report, path: string): void {
  if (isGroup(ours) && isGroup(theirs)) compare(ours, theirs, report, path);
  else if (isGroup(ours)) report(path, 'this is a group in English');
  else if (isGroup(theirs)) report(path, 'this is a text in English');
  else compareParameters(ours, theirs, (reason) => report(path, reason));
}

function compareParameters(ours: Message, theirs: Message, report: (reason: string) => void): void {
  for (const [name, type] of ours.parameters) {
    const found = theirs.parameters.get(name);
    if (found === undefined) report(`the parameter {${name}} is missing`);
    else if (found !== type)
      report(`{${name}} is a ${type === 'number' ? 'number' : 'text'} in English`);
  }
  for (const name of theirs.parameters.keys())
    if (!ours.parameters.has(name)) report(`English does not have the parameter {${name}}`);
}
