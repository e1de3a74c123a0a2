/** The bar of entries that the API changes by their ids: it disables, enables and deletes them. */
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { OperationName, RequestFor } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../action/row-acts.ts';
import { changesById, type ListEntry, removalsById } from './entry.ts';
import { type EntryAct, EntryBar, type EntryBarProps, type EntryRemoval } from './entry-bar.tsx';

/** The operations of which this is a whole request. */
type Accepting<R> = {
  [N in OperationName]: R extends RequestFor<N> ? N : never;
}[OperationName];

interface ById {
  params: { id: string };
}

interface Words {
  title(count: number): string;
  text: string;
  /** What is about to happen, while it may be undone. */
  remove(count: number): string;
  disable?(count: number): string;
  enable?(count: number): string;
  disableLabel?: string;
  enableLabel?: string;
}

interface EntriesBarProps<T, B> extends Pick<EntryBarProps<T>, 'list' | 'title' | 'acts'> {
  words: Words;
  /** The operation whose lists change. */
  changes: OperationName;
  remove: Accepting<ById>;
  allows?: EntryRemoval<T>['allows'];
  /** Where they can be disabled and enabled. */
  enabling?: {
    operation: Accepting<ById & { body: B }>;
    body(enabled: boolean): B;
    isEnabled(entry: T): boolean;
    /** To disable them ends something that is in use. */
    danger?: boolean;
  };
}

export function EntriesBar<T extends ListEntry, B = unknown>(props: EntriesBarProps<T, B>) {
  const { words, changes, remove, allows, enabling, acts = [], ...bar } = props;
  const labels = useMessages('rowActs');
  const act = useRowActs();
  const change = (enabled: boolean): Pick<EntryAct<T>, 'appliesTo' | 'run'> => ({
    appliesTo: (entry) => enabling?.isEnabled(entry) === !enabled,
    run(found) {
      if (!enabling) return;
      const message = words[enabled ? 'enable' : 'disable']?.(found.length) ?? '';
      const requests = changesById(found, enabling.body(enabled));
      // The operation accepts the body; the compiler cannot relate the two.
      act({ name: enabling.operation, ...requests, changes, message } as Parameters<typeof act>[0]);
    },
  });
  const enablingActs: EntryAct<T>[] = [
    {
      label: words.disableLabel ?? labels.disable,
      icon: IconPlayerPause,
      danger: enabling?.danger ?? false,
      ...change(false),
    },
    { label: words.enableLabel ?? labels.enable, icon: IconPlayerPlay, ...change(true) },
  ];
  return (
    <EntryBar
      {...bar}
      acts={[...(enabling ? enablingActs : []), ...acts]}
      removal={{
        title: words.title,
        text: words.text,
        ...(allows && { allows }),
        run(doomed) {
          const message = words.remove(doomed.length);
          act({ name: remove, ...removalsById(doomed), changes, message });
        },
      }}
    />
  );
}
