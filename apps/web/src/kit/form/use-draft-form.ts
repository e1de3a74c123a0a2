/**
 * The state of a settings form: unsaved changes on top of the stored settings, which a refetch does
 * not overwrite. It sends only changes.
 */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OperationName } from '../../api/client.ts';
import { useNotices } from '../action/notices.ts';
import { changesOf } from './draft.ts';
import { faultsOf, fieldsOf } from './fields.ts';

interface DraftFormOptions<T> {
  /** Its body has the fields. */
  operation: OperationName;
  /** Resolves after the stored settings were refetched. */
  send(changes: Partial<T>): Promise<unknown>;
  saved: string;
}

export function useDraftForm<T extends object>(
  stored: T,
  { operation, send, saved }: DraftFormOptions<T>,
) {
  const [typed, setTyped] = useState<Partial<T>>({});
  const value = { ...stored, ...typed };
  const set = (change: Partial<T>) => setTyped((before) => ({ ...before, ...change }));
  const changes = changesOf(stored, typed);
  const dirty = Object.keys(changes).length > 0;
  const discard = () => setTyped({});
  const notices = useNotices();
  const save = useMutation({
    mutationFn: send,
    onSuccess: () => {
      discard();
      notices.done(saved);
    },
  });
  return {
    changes,
    fields: fieldsOf({ value, set, faults: faultsOf(save.error) }, operation),
    onSubmit(event: FormEvent): void {
      event.preventDefault();
      if (dirty) save.mutate(changes);
    },
    bar: {
      dirty,
      pending: save.isPending,
      error: save.error,
      onDiscard(): void {
        save.reset();
        discard();
      },
    },
  };
}
