/** What the server finds for the typed text, as entries of the palette. */
import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResults } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import type { EntryKind, PaletteEntry } from './entry.ts';
import { KIND_ICONS } from './kind-icons.ts';
import { matches } from './match.ts';

const TYPING_MS = 150;

interface Found {
  entries: PaletteEntry[];
  /** Whether the answer to the typed text has not arrived. */
  pending: boolean;
  error: Error | null;
}

export function useFound(typed: string): Found {
  const [q] = useDebouncedValue(typed, TYPING_MS);
  const entriesOf = useEntriesOf();
  const { data, error, isPlaceholderData } = useAnswer(
    'search.searchAll',
    { query: { q } },
    { enabled: q !== '', placeholderData: keepPreviousData },
  );
  if (typed === '') return { entries: [], pending: false, error: null };
  const pending = error === null && (q !== typed || data === undefined || isPlaceholderData);
  const entries = data === undefined ? [] : entriesOf(data);
  // An earlier answer is shown only where it fits the text of now.
  const shown = pending ? entries.filter(({ label }) => matches(label, typed)) : entries;
  return { entries: shown, pending, error };
}

type FoundJob = SearchResults['jobs'][number];

function useEntriesOf(): (found: SearchResults) => PaletteEntry[] {
  const [t, format] = useWords('palette');
  const staging = useMessages('staging');
  const { severity: severities } = useMessages('verdict');
  /** As in the list of jobs. */
  const stateOf = ({ status, blocked }: FoundJob) =>
    blocked ? staging.blocked : staging.status[status];
  return ({ images, jobs, vulnerabilities, folders, people }) => [
    ...images.map(({ repository, tag_count }) =>
      found('image', repository, {
        note: t.tags(tag_count),
        path: `/images/${LOCAL_REGISTRY_ID}/${repository}`,
      }),
    ),
    ...jobs.map((job) => ({
      ...found('job', `${job.image}:${job.tag}`, {
        note: `${stateOf(job)} · ${format.relative(job.created_at)}`,
        path: `/staging/${job.job_id}`,
      }),
      id: `job ${job.job_id}`,
    })),
    ...vulnerabilities.map(({ id, severity, title }) =>
      found('vulnerability', id, {
        note: [severities[severity], title].filter((part) => part !== null).join(' · '),
        path: `/vulnerabilities/${id}`,
      }),
    ),
    ...folders.map(({ name, description }) =>
      found('folder', name, {
        note: description,
        path: `/folders/${encodeURIComponent(name)}`,
      }),
    ),
    ...people.map(({ username, email, disabled }) =>
      found('person', username, {
        note: [email, disabled ? t.disabled : null].filter((part) => part !== null).join(' · '),
        path: `/settings/users?${new URLSearchParams({ q: username })}`,
      }),
    ),
  ];
}

function found(
  kind: EntryKind,
  label: string,
  { note, path }: { note: string; path: string },
): PaletteEntry {
  return { id: `${kind} ${label}`, kind, label, note, path, icon: KIND_ICONS[kind] };
}
