/** docs/interoperability.md, which `npm run interop` writes. */
import { CANDIDATES, NOT_TRIED } from './candidates.ts';
import { CHECK_NAMES, HABIT_NAMES, type Measured } from './measure.ts';

export interface Matrix {
  measured: readonly Measured[];
  /** Registries that did not start here, with the fault. */
  failed: readonly { name: string; reason: string }[];
}

export function pageOf({ measured, failed }: Matrix, date: string): string {
  return `# Interoperability
Portcullis with the registries of other projects, as source and as target: each was started on a loopback port and tried with the client and a worker of this checkout. \`npm run interop\` writes this page, and a test of the night (\`tests/interop\`) compares it with what it meets. Last run: ${date}.

## Registries
| registry | version | from |
|---|---|---|
${measured.map(({ name, version, origin }) => row(name, version, origin)).join('\n')}

## Results
${table(['registry', ...CHECK_NAMES], measured.map(resultRow))}

- **push**: an image, an index of two platforms and a Helm chart; the registry has the same bytes.
- **pull**: all of an image.
- **resume**: a download of a layer that begins in its middle, as after an interruption.
- **referrers**: the list of two manifests with a subject, and one that is copied with its image to another repository. *API*: the registry lists them. *Tag schema*: the client keeps the list under a tag.
- **mount**: a copy within the registry without sending a blob.
- **tags**: 25 tags, in pages of 10.
- **delete**: a tag, while another one of the same manifest stays; then the manifest.
- **staging**: a worker pulls an image into staging and pushes it back under another name.
- **transfer from it**, **transfer to it**: a transfer of 10 images, each with a signature under cosign's tag and a manifest that names it as its subject, between it and the built-in registry; then the same transfer again, which succeeds and moves nothing.

## Habits
What the registries answer differently. Numbers are HTTP statuses.

${table(['registry', ...HABIT_NAMES], measured.map(habitRow))}

- **GET referrers**: of a manifest without referrers. With 404 the client uses the tag schema.
- **\`OCI-Subject\`**: whether the answer to a manifest with a subject has this header. Without it the client also writes the tag.
- **mount**: 201 is mounted; with 202 the client sends the blob in the upload that the registry opened.
- **\`Range\`**: 206 continues an interrupted download; with 200 the client reads from the first byte.
- **missing child**: an index whose image is not there. The client sends images first.
- **DELETE of a tag**: 202 deletes the tag. Otherwise the client moves the tag to a manifest made for this, and deletes that one.

${CANDIDATES.map(({ name, notes }) => `- **${name}** ${notes.join('; ')}.`).join('\n')}

## Not tried
${table(
  ['registry', 'why'],
  [...NOT_TRIED, ...failed].map(({ name, reason }) => row(name, reason)),
)}
`;
}

export function resultRow({ name, results }: Measured): string {
  return row(name, ...CHECK_NAMES.map((check) => results[check] ?? ''));
}

export function habitRow({ name, habits }: Measured): string {
  return row(name, ...HABIT_NAMES.map((habit) => habits[habit] ?? ''));
}

function table(titles: string[], rows: string[]): string {
  return [row(...titles), `|${titles.map(() => '---|').join('')}`, ...rows].join('\n');
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
